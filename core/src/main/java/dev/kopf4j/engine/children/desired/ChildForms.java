package dev.kopf4j.engine.children.desired;

import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The forms in which handlers give objects: maps, views, models of client libraries, texts of YAML, and collections of
 * these. Pure.
 *
 * @param parent the object whose values texts of YAML may name
 */
record ChildForms(ObjectNode parent) {
    /** All objects in what a handler has given; new trees. */
    List<ObjectNode> read(@Nullable Object given) {
        return switch (given) {
            case null -> List.of();
            case String yaml -> new YamlTemplate(yaml).fill(parent);
            case View view -> List.of(object(view.toMap()));
            case JsonNode tree -> List.of(object(tree));
            case Map<?, ?> map -> List.of(object(map));
            case Iterable<?> many -> all(many);
            case Object[] many -> all(Arrays.asList(many));
            default -> List.of(object(IntegrationLookup.required(given).toMap(given)));
        };
    }

    private List<ObjectNode> all(Iterable<?> many) {
        List<ObjectNode> found = new ArrayList<>();
        for (Object one : many) {
            found.addAll(read(one));
        }
        return found;
    }

    private static ObjectNode object(Object value) {
        if (Json.fromJava(value) instanceof ObjectNode tree) {
            return tree;
        }
        throw new IllegalArgumentException("a child must be an object, but is: " + value);
    }
}
