package dev.kopf4j;

import java.util.List;

/** Fields as people write them: {@code spec.template}. Pure. */
final class DottedPath {
    private DottedPath() {}

    /** The keys, one below the other; none for an empty path, which is the whole. */
    static List<String> keys(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
    }
}
