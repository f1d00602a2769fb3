package dev.kopf4j.hierarchy;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.integration.RequiredIntegration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
public record OwnerIdentity(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String name,
        @Nullable String uid,
        @Nullable String namespace,
        Map<String, String> labels) {
    /** Copies the labels, in their order. */
    public OwnerIdentity {
        labels = new LinkedHashMap<>(labels);
    }

    /**
     * Reads it from an object in any form: a body, the context of a handler, a map, a JSON tree, a model of a client
     * library.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static OwnerIdentity of(Object object) {
        return switch (object) {
            case HandlerContext context -> of(context.body());
            case Body body -> of(body.toMap());
            case Map<?, ?> map -> ofMap(map);
            case JsonNode tree -> ofTree(tree);
            default -> ofMap(RequiredIntegration.required(object).toMap(object));
        };
    }

    /**
     * All objects in what a user has given: an object, or collections of objects, nested as they may be.
     *
     * @throws IllegalArgumentException if there is something that is no object
     */
    public static List<OwnerIdentity> all(Object objects) {
        return switch (objects) {
            case JsonNode tree when tree.isObject() -> List.of(ofTree(tree));
            case Iterable<?> many -> all(StreamSupport.stream(many.spliterator(), false));
            case Object[] many -> all(Arrays.stream(many));
            default -> List.of(of(objects));
        };
    }

    private static List<OwnerIdentity> all(Stream<?> many) {
        return many.flatMap(one -> all(one).stream()).toList();
    }

    private static OwnerIdentity ofTree(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        Map<String, String> labels = new LinkedHashMap<>();
        metadata.path("labels").forEachEntry((key, label) -> labels.put(key, label.asString("")));
        return new OwnerIdentity(
                text(object.path("apiVersion").asString("")),
                text(object.path("kind").asString("")),
                text(metadata.path("name").asString("")),
                text(metadata.path("uid").asString("")),
                text(metadata.path("namespace").asString("")),
                labels);
    }

    private static OwnerIdentity ofMap(Map<?, ?> object) {
        Map<?, ?> metadata = object.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return new OwnerIdentity(
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
