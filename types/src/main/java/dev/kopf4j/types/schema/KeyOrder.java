package dev.kopf4j.types.schema;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The order in which a schema's keywords are written: what people look for first, and long parts last. Pure. */
final class KeyOrder {
    private static final List<String> FIRST = List.of(
            "description",
            "type",
            "format",
            "default",
            "enum",
            "nullable",
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "properties",
            "required",
            "additionalProperties",
            "items");

    private static final Comparator<Map.Entry<String, Object>> ORDER =
            Comparator.<Map.Entry<String, Object>>comparingInt(
                            each -> FIRST.contains(each.getKey()) ? FIRST.indexOf(each.getKey()) : FIRST.size())
                    .thenComparing(Map.Entry::getKey);

    private KeyOrder() {}

    static Map<String, Object> sorted(Map<String, Object> schema) {
        Map<String, Object> sorted = new LinkedHashMap<>();
        schema.entrySet().stream().sorted(ORDER).forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return sorted;
    }
}
