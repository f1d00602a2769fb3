package dev.kopf4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data of each choice of a {@link DiffBaseStorage} and of a {@link ProgressStorage}. Immutable. */
final class StorageChoices {
    private StorageChoices() {}

    record DiffBaseInAnnotation(
            @Nullable String prefix, String key, boolean v1, List<List<String>> ignoredFields, boolean compressed)
            implements DiffBaseStorage.Annotations {
        DiffBaseInAnnotation {
            ignoredFields = copy(ignoredFields);
        }

        @Override
        public DiffBaseInAnnotation withPrefix(String other) {
            return new DiffBaseInAnnotation(other, key, v1, ignoredFields, compressed);
        }

        @Override
        public DiffBaseInAnnotation withKey(String other) {
            return new DiffBaseInAnnotation(prefix, other, v1, ignoredFields, compressed);
        }

        @Override
        public DiffBaseInAnnotation withoutV1() {
            return new DiffBaseInAnnotation(prefix, key, false, ignoredFields, compressed);
        }

        @Override
        public DiffBaseInAnnotation ignoring(String... fields) {
            return new DiffBaseInAnnotation(prefix, key, v1, more(ignoredFields, fields), compressed);
        }

        @Override
        public DiffBaseInAnnotation ignoring(List<String> keys) {
            return new DiffBaseInAnnotation(prefix, key, v1, more(ignoredFields, keys), compressed);
        }

        @Override
        public DiffBaseInAnnotation withCompression() {
            return new DiffBaseInAnnotation(prefix, key, v1, ignoredFields, true);
        }
    }

    record DiffBaseInStatus(List<String> field, List<List<String>> ignoredFields) implements DiffBaseStorage.Status {
        DiffBaseInStatus {
            field = checked(field);
            ignoredFields = copy(ignoredFields);
        }

        @Override
        public DiffBaseInStatus withField(String path) {
            return withField(DottedPath.keys(path));
        }

        @Override
        public DiffBaseInStatus withField(List<String> keys) {
            return new DiffBaseInStatus(keys, ignoredFields);
        }

        @Override
        public DiffBaseInStatus ignoring(String... fields) {
            return new DiffBaseInStatus(field, more(ignoredFields, fields));
        }

        @Override
        public DiffBaseInStatus ignoring(List<String> keys) {
            return new DiffBaseInStatus(field, more(ignoredFields, keys));
        }
    }

    record DiffBaseInSeveral(List<DiffBaseStorage> storages) implements DiffBaseStorage.Multi {
        DiffBaseInSeveral {
            storages = List.copyOf(storages);
        }
    }

    record ProgressInAnnotations(@Nullable String prefix, boolean v1, boolean verbose, String touchKey)
            implements ProgressStorage.Annotations {
        @Override
        public ProgressInAnnotations withPrefix(String other) {
            return new ProgressInAnnotations(other, v1, verbose, touchKey);
        }

        @Override
        public ProgressInAnnotations withoutV1() {
            return new ProgressInAnnotations(prefix, false, verbose, touchKey);
        }

        @Override
        public ProgressInAnnotations withEmptyFields() {
            return new ProgressInAnnotations(prefix, v1, true, touchKey);
        }

        @Override
        public ProgressInAnnotations withTouchKey(String other) {
            return new ProgressInAnnotations(prefix, v1, verbose, other);
        }
    }

    record ProgressInStatus(List<String> field, List<String> touchField) implements ProgressStorage.Status {
        ProgressInStatus {
            field = checked(field);
            touchField = checked(touchField);
        }

        @Override
        public ProgressInStatus withField(String path) {
            return withField(DottedPath.keys(path));
        }

        @Override
        public ProgressInStatus withField(List<String> keys) {
            return new ProgressInStatus(keys, touchField);
        }

        @Override
        public ProgressInStatus withTouchField(String path) {
            return withTouchField(DottedPath.keys(path));
        }

        @Override
        public ProgressInStatus withTouchField(List<String> keys) {
            return new ProgressInStatus(field, keys);
        }
    }

    record ProgressInSeveral(List<ProgressStorage> storages) implements ProgressStorage.Multi {
        ProgressInSeveral {
            storages = List.copyOf(storages);
        }
    }

    record ProgressMigrating(ProgressStorage.Annotations annotations, ProgressStorage.Status status)
            implements ProgressStorage.Smart {}

    /**
     * Checks the keys of a field in which something is stored.
     *
     * @throws IllegalArgumentException if there is none, or an empty one
     */
    private static List<String> checked(List<String> keys) {
        if (keys.isEmpty() || keys.contains("")) {
            throw new IllegalArgumentException(
                    "a storage needs the keys of a field, such as \"status.kopf\", not " + keys);
        }
        return List.copyOf(keys);
    }

    private static List<List<String>> copy(List<List<String>> fields) {
        return fields.stream().map(List::copyOf).toList();
    }

    private static List<List<String>> more(List<List<String>> fields, String... dotted) {
        List<List<String>> all = new ArrayList<>(fields);
        Arrays.stream(dotted).map(DottedPath::keys).forEach(all::add);
        return all;
    }

    private static List<List<String>> more(List<List<String>> fields, List<String> keys) {
        List<List<String>> all = new ArrayList<>(fields);
        all.add(keys);
        return all;
    }
}
