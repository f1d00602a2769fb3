package dev.kopf4j.types.schema;

import dev.kopf4j.crd.ListType;
import dev.kopf4j.crd.MapType;
import dev.kopf4j.crd.Rule;
import dev.kopf4j.crd.Schema;
import dev.kopf4j.types.text.JsonMerge;
import dev.kopf4j.types.text.YamlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an annotation adds to the schema of a type. Immutable.
 *
 * @param schema the annotation
 * @param place where, for messages
 */
record SchemaAttributes(Schema schema, Place place) {
    private static final String KEEPS_UNKNOWN = "x-kubernetes-preserve-unknown-fields";

    /** The schema with what the annotation says. */
    Map<String, Object> over(Map<String, Object> base) {
        Map<String, Object> merged = new LinkedHashMap<>(base);
        kinds(merged);
        format(merged);
        texts(merged);
        numbers(merged);
        sizes(merged);
        lists(merged);
        values(merged);
        rules(merged);
        return schema.json().isEmpty() ? merged : JsonMerge.apply(merged, json());
    }

    /** True if servers keep what the schema does not say; this goes for the fields of the object itself. */
    boolean keepsUnknownFields() {
        return schema.preserveUnknownFields()
                || (!schema.json().isEmpty() && Boolean.TRUE.equals(json().get(KEEPS_UNKNOWN)));
    }

    private void kinds(Map<String, Object> merged) {
        if (schema.intOrString()) {
            merged.remove("type");
            merged.remove("format");
            merged.remove(KEEPS_UNKNOWN);
            merged.putAll(PlainTypes.intOrString());
        }
        if (schema.embeddedResource()) {
            merged.put("type", "object");
            merged.put("x-kubernetes-embedded-resource", true);
        }
        if (schema.preserveUnknownFields()) {
            merged.put(KEEPS_UNKNOWN, true);
        }
        if (schema.nullable()) {
            merged.put("nullable", true);
        }
    }

    private void format(Map<String, Object> merged) {
        if (!schema.format().isEmpty()
                && merged.get("format") instanceof String format
                && !format.equals(schema.format())) {
            // In another form, it has another pattern. The range of a number stays: it is the type's.
            merged.remove("pattern", PlainTypes.readable(format).get("pattern"));
        }
        if (schema.format().equals(Schema.NONE)) {
            merged.remove("format");
        } else if (!schema.format().isEmpty()) {
            merged.put("format", schema.format());
        }
    }

    private void texts(Map<String, Object> merged) {
        if (!schema.description().isEmpty()) {
            merged.put("description", schema.description());
        }
        if (!schema.pattern().isEmpty()) {
            merged.put("pattern", schema.pattern());
        }
    }

    private void numbers(Map<String, Object> merged) {
        number(merged, "minimum", schema.minimum());
        number(merged, "maximum", schema.maximum());
        number(merged, "multipleOf", schema.multipleOf());
        if (schema.exclusiveMinimum()) {
            merged.put("exclusiveMinimum", true);
        }
        if (schema.exclusiveMaximum()) {
            merged.put("exclusiveMaximum", true);
        }
    }

    private static void number(Map<String, Object> merged, String key, double value) {
        if (!Double.isNaN(value)) {
            boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
            merged.put(key, whole ? (Object) (long) value : (Object) value);
        }
    }

    private void sizes(Map<String, Object> merged) {
        size(merged, "minLength", schema.minLength());
        size(merged, "maxLength", schema.maxLength());
        size(merged, "minItems", schema.minItems());
        size(merged, "maxItems", schema.maxItems());
        size(merged, "minProperties", schema.minProperties());
        size(merged, "maxProperties", schema.maxProperties());
    }

    private static void size(Map<String, Object> merged, String key, long value) {
        if (value >= 0) {
            merged.put(key, value);
        }
    }

    private void lists(Map<String, Object> merged) {
        if (schema.listMapKeys().length > 0) {
            merged.put("x-kubernetes-list-map-keys", List.of(schema.listMapKeys()));
            merged.put("x-kubernetes-list-type", "map");
        }
        if (schema.listType() != ListType.DEFAULT) {
            merged.put("x-kubernetes-list-type", schema.listType().name().toLowerCase(Locale.ROOT));
        }
        if (merged.containsKey("x-kubernetes-list-type") && !"array".equals(merged.get("type"))) {
            throw place.error("listType and listMapKeys are for lists");
        }
        if (schema.mapType() != MapType.DEFAULT) {
            merged.put("x-kubernetes-map-type", schema.mapType().name().toLowerCase(Locale.ROOT));
        }
    }

    private void values(Map<String, Object> merged) {
        if (schema.defaultValue().length > 0) {
            merged.put("default", value(merged, "defaultValue", schema.defaultValue()[0]));
        }
        if (schema.enumValues().length > 0) {
            List<Object> values = new ArrayList<>();
            Arrays.stream(schema.enumValues()).forEach(text -> values.add(value(merged, "enumValues", text)));
            merged.put("enum", values);
        }
    }

    private Object value(Map<String, Object> merged, String attribute, String text) {
        if ("string".equals(merged.get("type"))) {
            return text;
        }
        if (merged.containsKey("x-kubernetes-int-or-string")) {
            return YamlReader.json(text).filter(Number.class::isInstance).orElse(text);
        }
        return YamlReader.json(text)
                .orElseThrow(() -> place.error(attribute + " = \"" + text + "\" is not JSON, but the field is "
                        + merged.getOrDefault("type", "anything") + "; write for example \"3\", \"true\", \"[]\" or"
                        + " \"{}\""));
    }

    private void rules(Map<String, Object> merged) {
        if (schema.rules().length > 0) {
            merged.put(
                    "x-kubernetes-validations",
                    Arrays.stream(schema.rules()).map(SchemaAttributes::rule).toList());
        }
    }

    private static Map<String, Object> rule(Rule rule) {
        Map<String, Object> made = new LinkedHashMap<>();
        Map.of(
                        "rule", rule.value(),
                        "message", rule.message(),
                        "messageExpression", rule.messageExpression(),
                        "reason", rule.reason(),
                        "fieldPath", rule.fieldPath())
                .entrySet()
                .stream()
                .filter(each -> !each.getValue().isEmpty())
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> made.put(each.getKey(), each.getValue()));
        if (rule.optionalOldSelf()) {
            made.put("optionalOldSelf", true);
        }
        return made;
    }

    private Map<?, ?> json() {
        return YamlReader.json(schema.json())
                .filter(Map.class::isInstance)
                .map(Map.class::cast)
                .orElseThrow(() -> place.error("json = " + schema.json() + " is no JSON object"));
    }
}
