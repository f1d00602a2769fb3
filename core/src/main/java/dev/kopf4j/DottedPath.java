package dev.kopf4j;

import java.util.List;

/** Fields as people write them: {@code spec.template}. Pure. */
final class DottedPath {
    private DottedPath() {}

    /**
     * Checks the keys of a field in which something is stored.
     *
     * @throws IllegalArgumentException if there is none, or an empty one
     */
    static List<String> checked(List<String> keys) {
        if (keys.isEmpty() || keys.contains("")) {
            throw new IllegalArgumentException(
                    "a storage needs the keys of a field, such as \"status.kopf\", not " + keys);
        }
        return List.copyOf(keys);
    }

    /** The keys, one below the other; none for an empty path, which is the whole. */
    static List<String> keys(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
    }
}
