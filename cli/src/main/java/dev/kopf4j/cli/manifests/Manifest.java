package dev.kopf4j.cli.manifests;

import java.util.List;
import java.util.Map;

/**
 * An object for a cluster. Immutable.
 *
 * @param object the object, as YAML has it
 * @param comments what people should know of it, a line each
 */
public record Manifest(Map<String, Object> object, List<String> comments) {
    /** Copies the list. */
    public Manifest {
        comments = List.copyOf(comments);
    }

    static Manifest of(Map<String, Object> object) {
        return new Manifest(object, List.of());
    }
}
