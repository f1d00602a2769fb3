package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.json.SortedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates that no element of a set or map occurs twice; {@code pkg/apiserver/schema/listtype/validation.go} of
 * apiextensions-apiserver, v1.33. Pure.
 */
public final class ListTypeValidation {
    private ListTypeValidation() {}

    /** The errors of all arrays below a value. */
    static List<FieldError> check(StructuralSchema structuralSchema, JsonNode value) {
        List<FieldError> causes = new ArrayList<>();
        walk(structuralSchema, value, "", causes);
        return causes;
    }

    private static void walk(StructuralSchema structuralSchema, JsonNode value, String path, List<FieldError> causes) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String below = structuralSchema.pathOf(entry.getKey(), path);
                structuralSchema.field(entry.getKey()).ifPresent(field -> walk(field, entry.getValue(), below, causes));
            }
        } else if (value instanceof ArrayNode array) {
            array(structuralSchema, array, path, causes);
            structuralSchema.items().ifPresent(items -> {
                for (int index = 0; index < array.size(); index++) {
                    walk(items, array.get(index), path + "[" + index + "]", causes);
                }
            });
        }
    }

    private static void array(
            StructuralSchema structuralSchema, ArrayNode array, String path, List<FieldError> causes) {
        if (structuralSchema.listType().equals("set")) {
            duplicates(array, path, causes);
        } else if (structuralSchema.listType().equals("map")) {
            for (int index = 0; index < array.size(); index++) {
                if (!array.get(index).isObject() && !array.get(index).isNull()) {
                    String shown = Json.text(array.get(index));
                    String rule = "must be an object for an array of list-type map";
                    causes.add(FieldError.invalid(path + "[" + index + "]", shown, rule));
                    return;
                }
            }
            ArrayNode keys = Json.array();
            array.forEach(element -> keys.add(key(structuralSchema, element)));
            duplicates(keys, path, causes);
        }
    }

    /** Each value that occurs more than once is reported once, at its second place. */
    private static void duplicates(ArrayNode values, String path, List<FieldError> causes) {
        Map<String, Integer> seen = new HashMap<>();
        for (int index = 0; index < values.size(); index++) {
            if (seen.merge(text(values.get(index)), 1, Integer::sum) == 2) {
                causes.add(FieldError.duplicate(path + "[" + index + "]", Json.text(values.get(index))));
            }
        }
    }

    /** The same for equal values. */
    private static String text(JsonNode value) {
        return Json.text(SortedKeys.valueOf(value));
    }

    /** True if a value occurs twice. */
    static boolean repeats(ArrayNode values) {
        List<FieldError> causes = new ArrayList<>();
        duplicates(values, "", causes);
        return !causes.isEmpty();
    }

    private static JsonNode key(StructuralSchema structuralSchema, JsonNode element) {
        ObjectNode key = Json.object();
        for (JsonNode name : structuralSchema.node().path("x-kubernetes-list-map-keys")) {
            JsonNode value = element.get(name.stringValue());
            if (value != null) {
                key.set(name.stringValue(), value);
            }
        }
        return key;
    }

    /**
     * Finds the element of a former array that an element corresponds to: that with the same key in maps, null in all
     * other arrays; {@code pkg/cel/common/equality.go} of the apiserver library, v1.33.
     */
    public static UnaryOperator<@Nullable JsonNode> counterparts(
            StructuralSchema structuralSchema, @Nullable JsonNode before) {
        if (before == null || !structuralSchema.listType().equals("map")) {
            return element -> null;
        }
        Map<String, JsonNode> former = new HashMap<>();
        before.forEach(element -> former.putIfAbsent(text(key(structuralSchema, element)), element));
        return element -> element == null ? null : former.get(text(key(structuralSchema, element)));
    }
}
