package dev.kopf4j.devcluster.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Equality of JSON values by meaning: numbers by value (1 equals 1.0), objects without regard to order. */
public final class JsonEquality {
    private JsonEquality() {}

    /** Whether both have the same meaning; absent differs from null. */
    public static boolean same(@Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == null || right == null) {
            return left == null && right == null;
        }
        return switch (left) {
            case ObjectNode object -> right instanceof ObjectNode other && sameObject(object, other);
            case ArrayNode array -> right instanceof ArrayNode other && sameArray(array, other);
            default ->
                (left.isNumber() && right.isNumber())
                        ? left.decimalValue().compareTo(right.decimalValue()) == 0
                        : left.equals(right);
        };
    }

    private static boolean sameObject(ObjectNode left, ObjectNode right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> entry : left.properties()) {
            JsonNode other = right.get(entry.getKey());
            if (other == null || !same(entry.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameArray(ArrayNode left, ArrayNode right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int index = 0; index < left.size(); index++) {
            if (!same(left.get(index), right.get(index))) {
                return false;
            }
        }
        return true;
    }
}
