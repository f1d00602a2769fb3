package dev.kopf4j.devcluster.cel;

import com.google.protobuf.NullValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as the values of expressions. */
final class Values {
    private Values() {}

    static Object of(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                Map<String, Object> map = new LinkedHashMap<>();
                object.properties().forEach(entry -> map.put(Names.escape(entry.getKey()), of(entry.getValue())));
                yield map;
            }
            case ArrayNode array -> {
                List<Object> list = new ArrayList<>();
                array.forEach(item -> list.add(of(item)));
                yield list;
            }
            default -> scalar(node);
        };
    }

    private static Object scalar(JsonNode node) {
        return switch (node.getNodeType()) {
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
            case STRING -> node.stringValue();
            default -> NullValue.NULL_VALUE;
        };
    }
}
