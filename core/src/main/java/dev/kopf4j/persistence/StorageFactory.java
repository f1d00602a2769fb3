package dev.kopf4j.persistence;

import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.diffbase.DiffBasePersistence;
import dev.kopf4j.persistence.diffbase.EssenceBuilder;
import dev.kopf4j.persistence.diffbase.MultiDiffBaseStorage;
import dev.kopf4j.persistence.diffbase.StatusDiffBaseStorage;
import dev.kopf4j.persistence.progress.AnnotationsProgressStorage;
import dev.kopf4j.persistence.progress.MultiProgressStorage;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StatusProgressStorage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes the storages that the settings choose. Pure. */
public final class StorageFactory {
    private StorageFactory() {}

    /**
     * Makes the storage of progress.
     *
     * @param prefix the prefix of annotations where the choice names none
     */
    public static ProgressPersistence progress(ProgressStorage choice, String prefix) {
        return switch (choice) {
            case ProgressStorage.Annotations annotations -> annotations(annotations, prefix);
            case ProgressStorage.Status status -> status(status);
            case ProgressStorage.Smart smart ->
                MultiProgressStorage.smart(annotations(smart.annotations(), prefix), status(smart.status()));
            case ProgressStorage.Multi multi ->
                new MultiProgressStorage(multi.storages().stream()
                        .map(store -> progress(store, prefix))
                        .toList());
            case ProgressStorage.Custom custom -> new CustomProgress(custom);
        };
    }

    private static AnnotationsProgressStorage annotations(ProgressStorage.Annotations choice, String prefix) {
        AnnotationKeys keys = new AnnotationKeys(Objects.requireNonNullElse(choice.prefix(), prefix), choice.v1());
        return new AnnotationsProgressStorage(keys, choice.touchKey(), choice.verbose());
    }

    private static StatusProgressStorage status(ProgressStorage.Status choice) {
        return new StatusProgressStorage(new FieldPath(choice.field()), new FieldPath(choice.touchField()));
    }

    /**
     * Makes the storage of last-handled states.
     *
     * @param prefix the prefix of annotations where the choice names none
     */
    public static DiffBasePersistence diffBase(DiffBaseStorage choice, String prefix) {
        return switch (choice) {
            case DiffBaseStorage.Annotations annotations -> annotations(annotations, prefix);
            case DiffBaseStorage.Status status ->
                new StatusDiffBaseStorage(new FieldPath(status.field()), paths(status.ignoredFields()));
            case DiffBaseStorage.Multi multi ->
                new MultiDiffBaseStorage(multi.storages().stream()
                        .map(store -> diffBase(store, prefix))
                        .toList());
            case DiffBaseStorage.Custom custom -> new CustomDiffBase(custom);
        };
    }

    private static AnnotationsDiffBaseStorage annotations(DiffBaseStorage.Annotations choice, String prefix) {
        AnnotationKeys keys = new AnnotationKeys(Objects.requireNonNullElse(choice.prefix(), prefix), choice.v1());
        return new AnnotationsDiffBaseStorage(keys, choice.key(), paths(choice.ignoredFields()), choice.compressed());
    }

    private static List<FieldPath> paths(List<List<String>> fields) {
        return fields.stream().map(FieldPath::new).toList();
    }

    /**
     * Keeps the progress in the storage of a user, by plain maps.
     *
     * <p>Thread-safe; the user's storage must be, too.
     */
    private record CustomProgress(ProgressStorage.Custom store) implements ProgressPersistence {

        @Override
        public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
            Map<String, Object> found = store.fetch(key, plain(body));
            return found == null
                    ? null
                    : ProgressRecord.decode(
                            tree(found, store),
                            problem -> UnreadableStateListener.LOGGED.foundUnreadable(
                                    body, "storage " + store.getClass().getName() + " under " + key, problem));
        }

        @Override
        public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
            Map<String, Object> plain = plain(ProgressRecord.encode(record, false));
            merge(store.store(key, plain, plain(body)), patch, store);
        }

        @Override
        public void purge(String key, ObjectNode body, ObjectNode patch) {
            merge(store.purge(key, plain(body)), patch, store);
        }

        @Override
        public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
            merge(store.touch(plain(body), value), patch, store);
        }

        @Override
        public ObjectNode clear(ObjectNode essence) {
            Map<String, Object> plain = plain(essence);
            Map<String, Object> cleared = store.clear(plain);
            return cleared.equals(plain) ? essence : tree(cleared, store);
        }

        @Override
        public void flush() {
            store.flush();
        }
    }

    /**
     * Keeps the diff-base in the storage of a user, by plain maps.
     *
     * <p>Thread-safe; the user's storage must be, too.
     */
    private record CustomDiffBase(DiffBaseStorage.Custom store) implements DiffBasePersistence {
        private static final EssenceBuilder ESSENCES = new EssenceBuilder(List.of());

        @Override
        public @Nullable ObjectNode fetch(ObjectNode body) {
            Map<String, Object> found = store.fetch(plain(body));
            return found == null ? null : tree(found, store);
        }

        @Override
        public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
            ObjectNode essence = ESSENCES.build(body, extraFields);
            Map<String, Object> plain = plain(essence);
            Map<String, Object> cleared = store.clear(store.build(plain, plain(body)));
            return cleared.equals(plain) ? essence : tree(cleared, store);
        }

        @Override
        public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
            merge(store.store(plain(essence), plain(body)), patch, store);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> plain(ObjectNode tree) {
        return (Map<String, Object>) Objects.requireNonNull(Json.toJava(tree));
    }

    /**
     * Converts what a custom storage has returned.
     *
     * @param storage the storage, for the message
     */
    private static ObjectNode tree(Map<String, ? extends @Nullable Object> answer, Object storage) {
        try {
            return (ObjectNode) Json.fromJava(answer);
        } catch (JsonConversionException e) {
            throw new IllegalStateException(
                    "storage " + storage.getClass().getName() + " has answered what is not JSON: " + e.getMessage(), e);
        }
    }

    private static void merge(Map<String, ? extends @Nullable Object> answer, ObjectNode patch, Object storage) {
        MergePatch.mergeInto(patch, tree(answer, storage));
    }
}
