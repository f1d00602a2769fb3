package dev.kopf4j.persistence.progress;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in several storages, for moving from one to another. The first one that has a record is believed;
 * all are written.
 *
 * <p>Immutable.
 */
public final class MultiProgressStorage implements ProgressStorage {
    private final List<ProgressStorage> storages;

    /** Makes a storage that reads the given ones in this order. */
    public MultiProgressStorage(List<? extends ProgressStorage> storages) {
        this.storages = List.copyOf(storages);
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        for (ProgressStorage storage : storages) {
            ProgressRecord record = storage.fetch(key, body);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    @Override
    public Optional<String> problem(String key) {
        return storages.stream()
                .flatMap(storage -> storage.problem(key).stream())
                .findFirst();
    }

    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        for (ProgressStorage storage : storages) {
            storage.store(key, record, body, patch);
        }
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        for (ProgressStorage storage : storages) {
            storage.purge(key, body, patch);
        }
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        for (ProgressStorage storage : storages) {
            storage.touch(body, patch, value);
        }
    }

    @Override
    public void mark(ObjectNode body, ObjectNode patch) {
        storages.forEach(storage -> storage.mark(body, patch));
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        ObjectNode cleared = essence;
        for (ProgressStorage storage : storages) {
            cleared = storage.clear(cleared);
        }
        return cleared;
    }

    @Override
    public void flush() {
        storages.forEach(ProgressStorage::flush);
    }

    /**
     * Keeps the progress in annotations, and takes over the progress that older operators left in the status: reads it
     * if the annotations have none, and purges it, but never writes it. The default storage.
     *
     * <p>Immutable.
     */
    public static final class SmartProgressStorage implements ProgressStorage {
        private final AnnotationsProgressStorage annotations;
        private final MultiProgressStorage both;

        /** Makes the storage with Kopf's defaults for both. */
        public SmartProgressStorage() {
            this(new AnnotationsProgressStorage(), new StatusProgressStorage());
        }

        /** Makes a storage that writes annotations, and takes over from the status. */
        public SmartProgressStorage(AnnotationsProgressStorage annotations, StatusProgressStorage status) {
            this.annotations = annotations;
            this.both = new MultiProgressStorage(List.of(annotations, status));
        }

        @Override
        public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
            return both.fetch(key, body);
        }

        @Override
        public Optional<String> problem(String key) {
            return annotations.problem(key);
        }

        @Override
        public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
            annotations.store(key, record, body, patch);
        }

        @Override
        public void purge(String key, ObjectNode body, ObjectNode patch) {
            both.purge(key, body, patch);
        }

        @Override
        public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
            annotations.touch(body, patch, value);
        }

        @Override
        public void mark(ObjectNode body, ObjectNode patch) {
            annotations.mark(body, patch);
        }

        @Override
        public ObjectNode clear(ObjectNode essence) {
            return both.clear(essence);
        }
    }
}
