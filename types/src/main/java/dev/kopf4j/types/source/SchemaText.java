package dev.kopf4j.types.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the annotation that leads from the schema of a Java type to another one. Used once. */
final class SchemaText {
    private static final Set<String> NUMBERS = Set.of("minimum", "maximum", "multipleOf");
    private static final Set<String> SIZES =
            Set.of("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties");
    private static final Set<String> FLAGS = Set.of("exclusiveMinimum", "exclusiveMaximum", "nullable");
    private static final Set<String> RULE_KEYS =
            Set.of("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf");

    private final List<String> attributes = new ArrayList<>();
    private final Map<String, @Nullable Object> json = new LinkedHashMap<>();
    private final Map<?, ?> schema;
    private final Imports imports;

    private SchemaText(Map<?, ?> schema, Imports imports) {
        this.schema = schema;
        this.imports = imports;
    }

    /**
     * The annotation with a blank behind it; empty if none is needed.
     *
     * @param schema the schema that is wanted
     * @param base the schema that the type gives by itself
     * @param first attributes that are given anyway
     */
    static String of(Map<?, ?> schema, Map<String, Object> base, List<String> first, Imports imports) {
        SchemaText text = new SchemaText(schema, imports);
        text.attributes.addAll(first);
        schema.forEach((key, value) -> {
            if (!sameNumber(value, base.get(key)) && !Objects.equals(value, base.get(key))) {
                text.attribute(String.valueOf(key), value);
            }
        });
        base.keySet().stream().filter(key -> !schema.containsKey(key)).forEach(text::without);
        return text.written();
    }

    private static boolean sameNumber(@Nullable Object a, @Nullable Object b) {
        return a instanceof Number first
                && b instanceof Number second
                && Double.compare(first.doubleValue(), second.doubleValue()) == 0;
    }

    private String written() {
        if (!json.isEmpty()) {
            attributes.add("json = " + JavaText.literal(JavaText.json(json)));
        }
        if (attributes.isEmpty()) {
            return "";
        }
        imports.add("dev.kopf4j.crd.Schema");
        return "@Schema(" + String.join(", ", attributes) + ") ";
    }

    private void without(String key) {
        if (key.equals("format")) {
            attributes.add("format = Schema.NONE");
        } else {
            json.put(key, null);
        }
    }

    private void attribute(String key, @Nullable Object value) {
        String made = switch (key) {
            case "description", "pattern", "format" ->
                value instanceof String text && !text.isEmpty() && !text.equals("none") ? JavaText.literal(text) : null;
            case "default" -> value(value);
            case "enum" -> enumValues(value);
            case "x-kubernetes-validations" -> rules(value);
            default -> number(key, value);
        };
        switch (key) {
            case "x-kubernetes-list-type" -> listType(String.valueOf(value));
            case "x-kubernetes-list-map-keys" -> listKeys(value);
            case "x-kubernetes-map-type" -> mapType(String.valueOf(value));
            default -> {
                if (made == null) {
                    json.put(key, value);
                } else {
                    attributes.add(attributeName(key) + " = " + made);
                }
            }
        }
    }

    private static String attributeName(String key) {
        return switch (key) {
            case "default" -> "defaultValue";
            case "enum" -> "enumValues";
            case "x-kubernetes-validations" -> "rules";
            default -> key;
        };
    }

    private static @Nullable String number(String key, @Nullable Object value) {
        if (FLAGS.contains(key) && Boolean.TRUE.equals(value)) {
            return "true";
        }
        if (SIZES.contains(key) && value instanceof Integer size && size >= 0) {
            return size.toString();
        }
        if (SIZES.contains(key) && value instanceof Long size && size >= 0) {
            return size + "L";
        }
        if (NUMBERS.contains(key)
                && (value instanceof Integer || value instanceof Double)
                && Double.isFinite(((Number) value).doubleValue())) {
            return value.toString();
        }
        return null;
    }

    private @Nullable String value(@Nullable Object value) {
        if ("string".equals(schema.get("type"))) {
            return value instanceof String text ? JavaText.literal(text) : null;
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            boolean clear = value instanceof Integer
                    || (value instanceof String text && !text.matches("\\s*-?[0-9].*"))
                    || (value instanceof String share && share.endsWith("%"));
            return clear ? JavaText.literal(String.valueOf(value)) : null;
        }
        return value == null ? null : JavaText.literal(JavaText.json(value));
    }

    private @Nullable String enumValues(@Nullable Object value) {
        if (!(value instanceof List<?> list) || list.isEmpty()) {
            return null;
        }
        List<@Nullable String> values = new ArrayList<>();
        for (Object each : list) {
            values.add(value(each));
        }
        if (values.contains(null)) {
            return null;
        }
        String joined = values.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return values.size() == 1 ? joined : "{" + joined + "}";
    }

    private @Nullable String rules(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            return null;
        }
        boolean known = list.stream()
                .allMatch(each -> each instanceof Map<?, ?> rule
                        && RULE_KEYS.containsAll(rule.keySet())
                        && !Boolean.FALSE.equals(rule.get("optionalOldSelf"))
                        && rule.values().stream()
                                .allMatch(part ->
                                        part instanceof Boolean || (part instanceof String text && !text.isEmpty())));
        if (!known) {
            return null;
        }
        imports.add("dev.kopf4j.crd.Rule");
        String joined = list.stream().map(each -> rule((Map<?, ?>) each)).collect(Collectors.joining(", "));
        return list.size() == 1 ? joined : "{" + joined + "}";
    }

    private static String rule(Map<?, ?> rule) {
        return rule.entrySet().stream()
                .map(each -> (each.getKey().equals("rule") ? "value" : each.getKey()) + " = "
                        + (each.getValue() instanceof String text ? JavaText.literal(text) : each.getValue()))
                .collect(Collectors.joining(", ", "@Rule(", ")"));
    }

    private void listType(String type) {
        if (type.equals("map") && schema.get("x-kubernetes-list-map-keys") instanceof List<?>) {
            return;
        }
        if (Set.of("atomic", "set", "map").contains(type)) {
            imports.add("dev.kopf4j.crd.ListType");
            attributes.add("listType = ListType." + type.toUpperCase(java.util.Locale.ROOT));
        } else {
            json.put("x-kubernetes-list-type", type);
        }
    }

    private void listKeys(@Nullable Object keys) {
        if (keys instanceof List<?> list && "map".equals(schema.get("x-kubernetes-list-type"))) {
            attributes.add("listMapKeys = " + JavaText.literals(list));
        } else {
            json.put("x-kubernetes-list-map-keys", keys);
        }
    }

    private void mapType(String type) {
        if (Set.of("atomic", "granular").contains(type)) {
            imports.add("dev.kopf4j.crd.MapType");
            attributes.add("mapType = MapType." + type.toUpperCase(java.util.Locale.ROOT));
        } else {
            json.put("x-kubernetes-map-type", type);
        }
    }
}
