package dev.kopf4j.persistence.progress;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in several storages, for moving from one to another. The first one that has a record is believed.
 *
 * <p>Immutable.
 *
 * @param storages those that are read, in this order, and purged
 * @param written those of them that are written
 */
public record MultiProgressStorage(
        List<? extends ProgressPersistence> storages, List<? extends ProgressPersistence> written)
        implements ProgressPersistence {

    /** Keeps immutable copies of the lists. */
    public MultiProgressStorage {
        storages = List.copyOf(storages);
        written = List.copyOf(written);
    }

    /** Makes a storage that reads the given ones in this order, and writes all of them. */
    public MultiProgressStorage(List<? extends ProgressPersistence> storages) {
        this(storages, storages);
    }

    /**
     * Keeps the progress in annotations, and takes over the progress that older operators left in the status: reads it
     * if the annotations have none, and purges it, but never writes it. The default storage.
     */
    public static MultiProgressStorage smart(AnnotationsProgressStorage annotations, StatusProgressStorage status) {
        return new MultiProgressStorage(List.of(annotations, status), List.of(annotations));
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        for (ProgressPersistence storage : storages) {
            ProgressRecord record = storage.fetch(key, body);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    @Override
    public Optional<String> problem(String key) {
        return written.stream()
                .flatMap(storage -> storage.problem(key).stream())
                .findFirst();
    }

    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        written.forEach(storage -> storage.store(key, record, body, patch));
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        storages.forEach(storage -> storage.purge(key, body, patch));
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        written.forEach(storage -> storage.touch(body, patch, value));
    }

    @Override
    public void mark(ObjectNode body, ObjectNode patch) {
        written.forEach(storage -> storage.mark(body, patch));
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        ObjectNode cleared = essence;
        for (ProgressPersistence storage : storages) {
            cleared = storage.clear(cleared);
        }
        return cleared;
    }

    @Override
    public void flush() {
        storages.forEach(ProgressPersistence::flush);
    }
}
