package dev.kopf4j.hierarchy;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.object.ObjectReference;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of an object that owner references and events name, and the labels that children inherit. Immutable.
 *
 * @param reference the object
 * @param labels its labels
 */
public record OwnerIdentity(ObjectReference reference, Map<String, String> labels) {
    /** Copies the labels, in their order. */
    public OwnerIdentity {
        labels = new LinkedHashMap<>(labels);
    }

    /** The name of the object; null if it has none yet. */
    public @Nullable String name() {
        return reference.name();
    }

    /** The namespace of the object; null if it is cluster-scoped. */
    public @Nullable String namespace() {
        return reference.namespace();
    }

    /** Builds an owner reference to the object, without the fields that it does not have. */
    public Map<String, Object> ownerReference(boolean controller, boolean blockOwnerDeletion) {
        Map<String, Object> built = new LinkedHashMap<>();
        built.put("controller", controller);
        built.put("blockOwnerDeletion", blockOwnerDeletion);
        putNames(built);
        return built;
    }

    /** Builds a reference to the object, as events have it, without the fields that it does not have. */
    public Map<String, Object> objectReference() {
        Map<String, Object> built = new LinkedHashMap<>();
        putNames(built);
        putPresent(built, "namespace", reference.namespace());
        return built;
    }

    private void putNames(Map<String, Object> built) {
        putPresent(built, "apiVersion", reference.apiVersion());
        putPresent(built, "kind", reference.kind());
        putPresent(built, "name", reference.name());
        putPresent(built, "uid", reference.uid());
    }

    private static void putPresent(Map<String, Object> built, String key, @Nullable Object value) {
        if (value != null) {
            built.put(key, value);
        }
    }

    /**
     * Reads the identity of an object in any form: a body, the context of a handler, a map, a JSON tree, a model of a
     * client library.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static OwnerIdentity of(Object object) {
        return switch (object) {
            case HandlerContext context -> of(context.body());
            case Body body -> of(body.toMap());
            case Map<?, ?> map -> ofMap(map);
            case JsonNode tree -> ofTree(tree);
            default -> ofMap(IntegrationLookup.required(object).toMap(object));
        };
    }

    /**
     * Reads the references to all objects that a user has given: an object, or collections of objects, also nested;
     * nulls are passed over.
     *
     * @throws IllegalArgumentException if something in it is no object
     */
    public static List<ObjectReference> references(@Nullable Object objects) {
        return switch (objects) {
            case null -> List.of();
            case JsonNode tree when tree.isObject() -> List.of(ofTree(tree).reference());
            case Iterable<?> many
            when many instanceof Collection || IntegrationLookup.forModel(many).isEmpty() ->
                references(StreamSupport.stream(many.spliterator(), false));
            case Object[] many -> references(Arrays.stream(many));
            default -> List.of(of(objects).reference());
        };
    }

    private static List<ObjectReference> references(Stream<?> many) {
        return many.flatMap(one -> references(one).stream()).toList();
    }

    private static OwnerIdentity ofTree(JsonNode object) {
        Map<String, String> labels = new LinkedHashMap<>();
        object.path("metadata").path("labels").forEachEntry((key, label) -> labels.put(key, label.asString("")));
        return new OwnerIdentity(ObjectReference.of(object), labels);
    }

    private static OwnerIdentity ofMap(Map<?, ?> object) {
        Map<?, ?> metadata = object.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        ObjectReference reference = new ObjectReference(
                text(object.get("apiVersion")),
                text(object.get("kind")),
                text(metadata.get("name")),
                text(metadata.get("uid")),
                text(metadata.get("namespace")));
        return new OwnerIdentity(reference, labels(metadata.get("labels")));
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
