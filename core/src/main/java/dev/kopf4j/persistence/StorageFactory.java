package dev.kopf4j.persistence;

import dev.kopf4j.DiffBaseStore;
import dev.kopf4j.ProgressStore;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.diffbase.DiffBaseStorage;
import dev.kopf4j.persistence.diffbase.MultiDiffBaseStorage;
import dev.kopf4j.persistence.diffbase.StatusDiffBaseStorage;
import dev.kopf4j.persistence.progress.AnnotationsProgressStorage;
import dev.kopf4j.persistence.progress.MultiProgressStorage;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.persistence.progress.SmartProgressStorage;
import dev.kopf4j.persistence.progress.StatusProgressStorage;
import java.util.List;
import java.util.Objects;

/** Makes the storages that the settings choose. Pure. */
public final class StorageFactory {
    private StorageFactory() {}

    /**
     * Makes the storage of progress.
     *
     * @param prefix the prefix of annotations where the choice names none
     */
    public static ProgressStorage progress(ProgressStore choice, String prefix) {
        return switch (choice) {
            case ProgressStore.Annotations annotations -> annotations(annotations, prefix);
            case ProgressStore.Status status -> status(status);
            case ProgressStore.Smart smart ->
                new SmartProgressStorage(annotations(smart.annotations(), prefix), status(smart.status()));
            case ProgressStore.Multi multi ->
                new MultiProgressStorage(multi.stores().stream()
                        .map(store -> progress(store, prefix))
                        .toList());
            case ProgressStore.Custom custom -> CustomStorages.of(custom);
        };
    }

    private static AnnotationsProgressStorage annotations(ProgressStore.Annotations choice, String prefix) {
        AnnotationKeys keys = new AnnotationKeys(Objects.requireNonNullElse(choice.prefix(), prefix), choice.v1());
        return new AnnotationsProgressStorage(keys, choice.touchKey(), choice.verbose());
    }

    private static StatusProgressStorage status(ProgressStore.Status choice) {
        return new StatusProgressStorage(new FieldPath(choice.field()), new FieldPath(choice.touchField()));
    }

    /**
     * Makes the storage of last-handled states.
     *
     * @param prefix the prefix of annotations where the choice names none
     */
    public static DiffBaseStorage diffBase(DiffBaseStore choice, String prefix) {
        return switch (choice) {
            case DiffBaseStore.Annotations annotations -> annotations(annotations, prefix);
            case DiffBaseStore.Status status ->
                new StatusDiffBaseStorage(new FieldPath(status.field()), paths(status.ignoredFields()));
            case DiffBaseStore.Multi multi ->
                new MultiDiffBaseStorage(multi.stores().stream()
                        .map(store -> diffBase(store, prefix))
                        .toList());
            case DiffBaseStore.Custom custom -> CustomStorages.of(custom);
        };
    }

    private static AnnotationsDiffBaseStorage annotations(DiffBaseStore.Annotations choice, String prefix) {
        AnnotationKeys keys = new AnnotationKeys(Objects.requireNonNullElse(choice.prefix(), prefix), choice.v1());
        return new AnnotationsDiffBaseStorage(keys, choice.key(), paths(choice.ignoredFields()), choice.compressed());
    }

    private static List<FieldPath> paths(List<List<String>> fields) {
        return fields.stream().map(FieldPath::new).toList();
    }
}
