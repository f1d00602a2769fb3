package dev.kopf4j.types.source;

import dev.kopf4j.types.schema.PlainTypes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the Java types of schemas, and has types written for objects and enums. Used for the fields of one record.
 *
 * @param scope where types can be written
 * @param imports gets what is used
 */
record TypeChoice(NestedTypes scope, Imports imports) {
    private static final String OPEN = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

    /**
     * The type of a schema.
     *
     * @param field the name of the field
     * @param inside true between angle brackets
     */
    JavaType of(Map<?, ?> schema, String field, boolean inside) {
        if (Boolean.TRUE.equals(schema.get(INT_OR_STRING))) {
            return JavaType.flagged(
                    "Object",
                    Map.of("anyOf", List.of(Map.of("type", "integer"), Map.of("type", "string")), INT_OR_STRING, true),
                    "intOrString = true");
        }
        return switch (word(schema, "type")) {
            case "string" -> text(schema, field, inside);
            case "integer" -> integer(schema);
            case "number" -> number(schema);
            case "boolean" -> JavaType.plain("boolean", "Boolean", Map.of("type", "boolean"));
            case "array" -> list(schema, field);
            case "object" -> object(schema, field);
            default -> JavaType.flagged("Object", Map.of(OPEN, true), "preserveUnknownFields = true");
        };
    }

    private static String word(Map<?, ?> schema, String key) {
        return schema.get(key) instanceof String text ? text : "";
    }

    private JavaType text(Map<?, ?> schema, String field, boolean inside) {
        if (schema.get("enum") instanceof List<?> values && isEnum(values)) {
            String name = scope.addEnum(field, values, schema);
            return new JavaType(name, name, Map.of("type", "string", "enum", values), List.of(), true);
        }
        String format = word(schema, "format");
        if (format.equals("byte") && !inside) {
            return JavaType.plain("byte[]", "byte @Nullable []", Map.of("type", "string", "format", format));
        }
        return switch (format) {
            case "date-time" -> imported("java.time.Instant", formatted(schema, "string"));
            case "date" -> imported("java.time.LocalDate", Map.of("type", "string", "format", format));
            case "uuid" -> imported("java.util.UUID", formatted(schema, "string"));
            default -> JavaType.plain("String", Map.of("type", "string"));
        };
    }

    private static boolean isEnum(List<?> values) {
        return !values.isEmpty()
                && values.stream().allMatch(each -> each instanceof String text && !text.isEmpty())
                && values.stream().distinct().count() == values.size();
    }

    private JavaType imported(String type, Map<String, Object> base) {
        imports.add(type);
        return JavaType.plain(type.substring(type.lastIndexOf('.') + 1), base);
    }

    private static JavaType integer(Map<?, ?> schema) {
        return "int32".equals(schema.get("format"))
                ? JavaType.plain("int", "Integer", formatted(schema, "integer"))
                : JavaType.plain("long", "Long", Map.of("type", "integer", "format", "int64"));
    }

    /** What the type gives by itself, but no limit that the schema does not have: that is not taken away from it. */
    private static Map<String, Object> formatted(Map<?, ?> schema, String type) {
        String format = word(schema, "format");
        Map<String, Object> base = new HashMap<>(PlainTypes.readable(format));
        base.keySet().retainAll(schema.keySet());
        base.put("type", type);
        base.put("format", format);
        return base;
    }

    private JavaType number(Map<?, ?> schema) {
        return switch (word(schema, "format")) {
            case "double" -> JavaType.plain("double", "Double", Map.of("type", "number", "format", "double"));
            case "float" -> JavaType.plain("float", "Float", Map.of("type", "number", "format", "float"));
            default -> imported("java.math.BigDecimal", Map.of("type", "number"));
        };
    }

    private JavaType list(Map<?, ?> schema, String field) {
        if (!(schema.get("items") instanceof Map<?, ?> items)) {
            return JavaType.flagged("Object", Map.of(OPEN, true), "preserveUnknownFields = true");
        }
        Map<String, Object> base = new HashMap<>();
        base.put("type", "array");
        base.put("items", items);
        boolean single = !"object".equals(items.get("type")) && !"array".equals(items.get("type"));
        boolean set = "set".equals(schema.get("x-kubernetes-list-type")) && single;
        if (set) {
            base.put("x-kubernetes-list-type", "set");
        }
        String collection = set ? "Set" : "List";
        imports.add("java.util." + collection);
        return JavaType.plain(collection + "<" + inner(items, JavaNames.singular(field)) + ">", base);
    }

    /** A type between angle brackets, with its annotations. */
    private String inner(Map<?, ?> schema, String field) {
        Map<Object, Object> rest = new LinkedHashMap<>(schema);
        boolean nullable = Boolean.TRUE.equals(rest.remove("nullable"));
        JavaType type = of(rest, field, true);
        if (type.described() && CommentText.keeps(String.valueOf(rest.get("description")))) {
            rest.remove("description");
        }
        if (nullable) {
            imports.add("org.jspecify.annotations.Nullable");
        }
        return (nullable ? "@Nullable " : "") + SchemaText.of(rest, type.base(), type.flags(), imports) + type.boxed();
    }

    private JavaType object(Map<?, ?> schema, String field) {
        boolean open = Boolean.TRUE.equals(schema.get(OPEN));
        boolean embedded = Boolean.TRUE.equals(schema.get(EMBEDDED));
        boolean hasFields = schema.get("properties") instanceof Map<?, ?> fields && !fields.isEmpty();
        boolean plain = !open && !embedded;
        if (schema.get("additionalProperties") instanceof Map<?, ?> values && !hasFields && !embedded) {
            return mapping(values, field, open);
        }
        if (schema.containsKey("additionalProperties") || (!hasFields && !plain)) {
            imports.add("java.util.Map");
            return flags(open || !embedded, embedded, "Map<String, Object>", Map.of(), false);
        }
        String name = scope.addRecord(field, schema);
        Map<String, Object> base = new HashMap<>();
        if (hasFields) {
            base.put("properties", schema.get("properties"));
        }
        List<?> required = RecordSource.required(schema);
        if (!required.isEmpty()) {
            base.put("required", required);
        }
        return flags(open, embedded, name, base, true);
    }

    private static JavaType flags(
            boolean open, boolean embedded, String name, Map<String, Object> fields, boolean described) {
        Map<String, Object> base = new HashMap<>(fields);
        base.put("type", "object");
        List<String> flags = new java.util.ArrayList<>();
        if (embedded) {
            base.put(EMBEDDED, true);
            flags.add("embeddedResource = true");
        }
        if (open) {
            base.put(OPEN, true);
            flags.add("preserveUnknownFields = true");
        }
        return new JavaType(name, name, base, flags, described);
    }

    private JavaType mapping(Map<?, ?> values, String field, boolean open) {
        imports.add("java.util.Map");
        Map<String, Object> base = new HashMap<>();
        base.put("type", "object");
        base.put("additionalProperties", values);
        if (open) {
            base.put(OPEN, true);
        }
        String name = "Map<String, " + inner(values, JavaNames.singular(field)) + ">";
        boolean anything = name.equals("Map<String, Object>");
        return new JavaType(
                name, name, base, open && !anything ? List.of("preserveUnknownFields = true") : List.of(), false);
    }
}
