package dev.kopf4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data of each choice of a {@link DiffBaseStore}. Immutable. */
final class DiffBaseStores {
    private DiffBaseStores() {}

    record InAnnotation(
            @Nullable String prefix, String key, boolean v1, List<List<String>> ignoredFields, boolean compressed)
            implements DiffBaseStore.Annotations {
        InAnnotation {
            ignoredFields = copy(ignoredFields);
        }

        @Override
        public InAnnotation withPrefix(String other) {
            return new InAnnotation(other, key, v1, ignoredFields, compressed);
        }

        @Override
        public InAnnotation withKey(String other) {
            return new InAnnotation(prefix, other, v1, ignoredFields, compressed);
        }

        @Override
        public InAnnotation withoutV1() {
            return new InAnnotation(prefix, key, false, ignoredFields, compressed);
        }

        @Override
        public InAnnotation ignoring(String... fields) {
            return new InAnnotation(prefix, key, v1, more(ignoredFields, fields), compressed);
        }

        @Override
        public InAnnotation ignoring(List<String> keys) {
            return new InAnnotation(prefix, key, v1, more(ignoredFields, keys), compressed);
        }

        @Override
        public InAnnotation withCompression() {
            return new InAnnotation(prefix, key, v1, ignoredFields, true);
        }
    }

    record InStatus(List<String> field, List<List<String>> ignoredFields) implements DiffBaseStore.Status {
        InStatus {
            field = DottedPath.checked(field);
            ignoredFields = copy(ignoredFields);
        }

        @Override
        public InStatus withField(String path) {
            return withField(DottedPath.keys(path));
        }

        @Override
        public InStatus withField(List<String> keys) {
            return new InStatus(keys, ignoredFields);
        }

        @Override
        public InStatus ignoring(String... fields) {
            return new InStatus(field, more(ignoredFields, fields));
        }

        @Override
        public InStatus ignoring(List<String> keys) {
            return new InStatus(field, more(ignoredFields, keys));
        }
    }

    record InSeveral(List<DiffBaseStore> stores) implements DiffBaseStore.Multi {
        InSeveral {
            stores = List.copyOf(stores);
        }
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
