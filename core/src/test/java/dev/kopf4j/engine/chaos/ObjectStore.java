package dev.kopf4j.engine.chaos;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of one resource, as an API server keeps them; the checks compare with it. A change that changes nothing
 * makes no version; finalizers hold deleted objects; DELETED carries a version of its own.
 */
final class ObjectStore {
    private final boolean statusSubresource;
    private final Map<String, ObjectNode> objects = new LinkedHashMap<>();
    private final List<Event> history = new ArrayList<>();
    private final Map<Long, Integer> generations = new HashMap<>();
    private final Witness witness;
    private long version = 100;

    ObjectStore(boolean statusSubresource, Witness witness) {
        this.statusSubresource = statusSubresource;
        this.witness = witness;
    }

    /** Sees each real change. */
    interface Witness {
        /** A change was made; by an operator if it came as a PATCH. {@code after} is null if the object has gone. */
        void changed(boolean byOperator, ObjectNode before, @Nullable ObjectNode after);
    }

    record Event(String type, long version, ObjectNode object) {}

    /** A change that is refused as invalid. */
    static final class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Invalid(String message) {
            super(message);
        }
    }

    /** A change that was made for another version. */
    static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    boolean hasStatusSubresource() {
        return statusSubresource;
    }

    long version() {
        return version;
    }

    List<Event> history() {
        return history;
    }

    List<ObjectNode> all() {
        return List.copyOf(objects.values());
    }

    @Nullable ObjectNode find(String name) {
        return objects.get(name);
    }

    Optional<ObjectNode> byUid(String uid) {
        return objects.values().stream()
                .filter(object -> StoredState.uid(object).equals(uid))
                .findFirst();
    }

    void create(ObjectNode object) {
        store("ADDED", object.deepCopy());
    }

    /** Somebody changes an object; nothing happens if there is no such object. */
    void change(String name, Consumer<ObjectNode> change) {
        ObjectNode before = objects.get(name);
        if (before != null) {
            ObjectNode after = before.deepCopy();
            change.accept(after);
            commit(false, before, after);
        }
    }

    /** Somebody requests the deletion of an object. */
    void delete(String name, String time) {
        ObjectNode before = objects.get(name);
        if (before != null && StoredState.finalizers(before).isEmpty()) {
            remove(false, before, before);
        } else {
            change(name, object -> {
                if (!StoredState.isDeleting(object)) {
                    StoredState.metadata(object).put("deletionTimestamp", time);
                }
            });
        }
    }

    /** Somebody takes the finalizers of an object off, whosever they are, and deletes it. */
    void vanish(String name) {
        ObjectNode before = objects.get(name);
        if (before != null) {
            remove(false, before, before);
        }
    }

    /** An operator changes an object that is there. As on a real server, a change of the status may name any uid. */
    ObjectNode patch(ObjectNode before, JsonNode payload, boolean status) {
        ObjectNode after = payload instanceof ArrayNode operations
                ? (ObjectNode) JsonPatch.apply(before.deepCopy(), operations, kept -> kept)
                : MergePatch.apply(before.deepCopy(), (ObjectNode) payload);
        boolean ofStatus = status && statusSubresource;
        if (!ofStatus && !StoredState.uid(before).equals(StoredState.uid(after))) {
            throw new Invalid("metadata.uid: Invalid value: \"" + StoredState.uid(after) + "\": field is immutable");
        }
        JsonNode version = StoredState.metadata(before).get("resourceVersion");
        if (!version.equals(StoredState.metadata(after).get("resourceVersion"))) {
            throw new Conflict();
        }
        StoredState.metadata(after).set("resourceVersion", version);
        ObjectNode result = after;
        if (statusSubresource) {
            result = (status ? before : after).deepCopy();
            JsonNode kept = (status ? after : before).get("status");
            result.remove("status");
            if (kept != null) {
                result.set("status", kept);
            }
        }
        return commit(true, before, result);
    }

    private ObjectNode commit(boolean byOperator, ObjectNode before, ObjectNode after) {
        if (JsonEquality.equal(before, after)) {
            return before;
        }
        if (StoredState.isDeleting(after) && StoredState.finalizers(after).isEmpty()) {
            remove(byOperator, before, after);
            return after;
        }
        witness.changed(byOperator, before, after);
        store("MODIFIED", after);
        return after;
    }

    private void store(String type, ObjectNode object) {
        ObjectNode before = objects.get(StoredState.name(object));
        version++;
        generations.put(version, before == null ? 0 : generation(before) + (isChanged(before, object) ? 1 : 0));
        StoredState.metadata(object).put("resourceVersion", Long.toString(version));
        objects.put(StoredState.name(object), object);
        history.add(new Event(type, version, object));
    }

    private static boolean isChanged(ObjectNode before, ObjectNode after) {
        return !StoredState.change(before)
                .newEssence()
                .equals(StoredState.change(after).newEssence());
    }

    /** How many times that which matters has changed until this state of an object. */
    int generation(ObjectNode object) {
        return generations.getOrDefault(Long.parseLong(StoredState.version(object)), -1);
    }

    private void remove(boolean byOperator, ObjectNode before, ObjectNode last) {
        witness.changed(byOperator, before, null);
        version++;
        objects.remove(StoredState.name(last));
        ObjectNode event = last.deepCopy();
        StoredState.metadata(event).put("resourceVersion", Long.toString(version));
        history.add(new Event("DELETED", version, event));
    }

    /** A page of a list, as it is answered. */
    static ObjectNode page(List<ObjectNode> items, long listVersion, @Nullable String next) {
        ObjectNode list = Json.object().put("kind", "KopfExampleList").put("apiVersion", "kopf.dev/v1");
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", Long.toString(listVersion));
        if (next != null) {
            metadata.put("continue", next);
        }
        list.putArray("items").addAll(items);
        return list;
    }
}
