package dev.kopf4j.engine.handling.progress;

import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressStorage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which progress records one object has stored, as far as is known, and which it will have once the patch is written.
 * Confined to the object's worker.
 */
final class StoredProgress {
    private final ProgressStorage storage;
    private final Map<String, ProgressRecord> stored = new LinkedHashMap<>();
    private final Map<String, ProgressRecord> patched = new LinkedHashMap<>();

    StoredProgress(ProgressStorage storage) {
        this.storage = storage;
    }

    /** Reads a record from the object; null if there is none. */
    @Nullable ProgressRecord fetch(String id, ObjectNode body) {
        ProgressRecord found = storage.fetch(id, body);
        if (found != null) {
            stored.put(id, found);
            patched.put(id, found);
        }
        return found;
    }

    /** The record that is stored, as far as is known; null if there is none. */
    @Nullable ProgressRecord known(String id) {
        return stored.get(id);
    }

    /** True if a record is stored of that handler, or of the one that has it as a sub-handler. */
    boolean hasBegun(String id) {
        return stored.containsKey(id)
                || stored.values().stream().anyMatch(record -> record.subrefs().contains(id));
    }

    /** The sub-handlers that the stored records name. */
    Set<String> subHandlers() {
        Set<String> ids = new LinkedHashSet<>();
        stored.values().forEach(record -> ids.addAll(record.subrefs()));
        return ids;
    }

    /** True if the object will have a record of the handler once the patch is written. */
    boolean willHave(String id) {
        return patched.containsKey(id);
    }

    /** Puts a record into the patch, unless the object has the same one already, or will have it by the patch. */
    void store(String id, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        if (!record.equals(patched.get(id))) {
            storage.store(id, record, body, patch);
            patched.put(id, record);
        }
    }

    /** Lets a custom storage write out what it has held back. */
    void flush() {
        storage.flush();
    }

    /** The patch is written. */
    void acknowledge() {
        stored.putAll(patched);
    }

    /** Puts the removal of these records into the patch. */
    void purge(Collection<String> ids, ObjectNode body, ObjectNode patch) {
        ids.forEach(id -> storage.purge(id, body, patch));
        storage.flush();
    }

    /** The patch will remove these records: they are written anew if there are any again. */
    void expectWithout(Set<String> ids) {
        patched.keySet().removeAll(ids);
    }

    /** The object has no such records any more. */
    void forget(Set<String> ids) {
        stored.keySet().removeAll(ids);
        patched.keySet().removeAll(ids);
    }
}
