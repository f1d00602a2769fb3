package dev.kopf4j;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data of each choice of a {@link ProgressStore}. Immutable. */
final class ProgressStores {
    private ProgressStores() {}

    record InAnnotations(@Nullable String prefix, boolean v1, boolean verbose, String touchKey)
            implements ProgressStore.Annotations {
        @Override
        public InAnnotations withPrefix(String other) {
            return new InAnnotations(other, v1, verbose, touchKey);
        }

        @Override
        public InAnnotations withoutV1() {
            return new InAnnotations(prefix, false, verbose, touchKey);
        }

        @Override
        public InAnnotations withEmptyFields() {
            return new InAnnotations(prefix, v1, true, touchKey);
        }

        @Override
        public InAnnotations withTouchKey(String other) {
            return new InAnnotations(prefix, v1, verbose, other);
        }
    }

    record InStatus(List<String> field, List<String> touchField) implements ProgressStore.Status {
        InStatus {
            field = DottedPath.checked(field);
            touchField = DottedPath.checked(touchField);
        }

        @Override
        public InStatus withField(String path) {
            return withField(DottedPath.keys(path));
        }

        @Override
        public InStatus withField(List<String> keys) {
            return new InStatus(keys, touchField);
        }

        @Override
        public InStatus withTouchField(String path) {
            return withTouchField(DottedPath.keys(path));
        }

        @Override
        public InStatus withTouchField(List<String> keys) {
            return new InStatus(field, keys);
        }
    }

    record InSeveral(List<ProgressStore> stores) implements ProgressStore.Multi {
        InSeveral {
            stores = List.copyOf(stores);
        }
    }

    record Migrating(ProgressStore.Annotations annotations, ProgressStore.Status status)
            implements ProgressStore.Smart {}
}
