package dev.kopf4j.hierarchy;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an object has to be known of to refer to it, and to inherit from it. Immutable.
 *
 * @param apiVersion its {@code apiVersion}; null if it has none
 * @param kind its {@code kind}; null if it has none
 * @param name its name; null if it has none yet
 * @param uid its uid; null if it was not created yet
 * @param namespace its namespace; null if it is cluster-scoped
 * @param labels its labels
 */
public record Owner(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String name,
        @Nullable String uid,
        @Nullable String namespace,
        Map<String, String> labels) {
    /** Copies the labels, in their order. */
    public Owner {
        labels = new LinkedHashMap<>(labels);
    }

    /**
     * Reads it from an object in any form: a body, the context of a handler, a map, a model of a client library.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Owner of(Object object) {
        return switch (object) {
            case HandlerContext context -> of(context.body());
            case Body body -> of(body.toMap());
            case Map<?, ?> map -> ofMap(map);
            default -> ofMap(Models.required(object).toMap(object));
        };
    }

    private static Owner ofMap(Map<?, ?> object) {
        Map<?, ?> metadata = object.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return new Owner(
                text(object.get("apiVersion")),
                text(object.get("kind")),
                text(metadata.get("name")),
                text(metadata.get("uid")),
                text(metadata.get("namespace")),
                labels(metadata.get("labels")));
    }

    private static Map<String, String> labels(@Nullable Object value) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, label) -> labels.put(String.valueOf(key), String.valueOf(label)));
        }
        return labels;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }
}
