package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;

/**
 * Validates that the combinations at one place of a schema (allOf, anyOf, oneOf, not) only narrow it, and that patterns
 * are regular expressions: {@code validateNestedValueValidation} in {@code pkg/apiserver/schema/validation.go} of
 * apiextensions-apiserver, v1.33.
 */
final class SchemaCombinationValidation {
    private static final JsonNode EITHER = Json.parse("[{\"type\":\"integer\"},{\"type\":\"string\"}]");
    private static final Map<String, String> FORBIDDEN_BELOW = Map.ofEntries(
            Map.entry("additionalProperties", "must be undefined to be structural"),
            Map.entry("default", "must be undefined to be structural"),
            Map.entry("title", "must be empty to be structural"),
            Map.entry("description", "must be empty to be structural"),
            Map.entry("nullable", "must be false to be structural"),
            Map.entry("externalDocs", "must be undefined to be structural"),
            Map.entry("x-kubernetes-preserve-unknown-fields", "must be false to be structural"),
            Map.entry("x-kubernetes-embedded-resource", "must be false to be structural"),
            Map.entry("x-kubernetes-int-or-string", "must be false to be structural"),
            Map.entry("x-kubernetes-list-map-keys", "must be empty to be structural"),
            Map.entry("x-kubernetes-list-type", "must be undefined to be structural"),
            Map.entry("x-kubernetes-map-type", "must be undefined to be structural"),
            Map.entry("x-kubernetes-validations", "must be empty to be structural"));
    private final List<FieldError> causes;

    /** Adds the errors to a list. */
    SchemaCombinationValidation(List<FieldError> causes) {
        this.causes = causes;
    }

    void check(StructuralSchema structuralSchema, String path) {
        boolean either = EITHER.equals(structuralSchema.node().path("anyOf"));
        narrowing(structuralSchema, structuralSchema, either, path, path);
    }

    /** Validates the combinations in a schema, which may be a part of a combination itself. */
    private void narrowing(
            StructuralSchema outer, StructuralSchema structuralSchema, boolean either, String path, String outerPath) {
        for (String list : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : structuralSchema.node().path(list)) {
                String where = path + "." + list + "[" + index + "]";
                boolean eitherHere = either && list.equals("anyOf");
                boolean eitherBelow = list.equals("allOf") && index == 0 && EITHER.equals(each.path("anyOf"));
                nested(outer, new StructuralSchema(each), eitherHere, eitherBelow, where, outerPath);
                index++;
            }
        }
        if (structuralSchema.node().path("not").isObject()) {
            nested(
                    outer,
                    new StructuralSchema(structuralSchema.node().path("not")),
                    false,
                    false,
                    path + ".not",
                    outerPath);
        }
        pattern(structuralSchema, path);
    }

    private void pattern(StructuralSchema structuralSchema, String path) {
        String pattern = Json.string(structuralSchema.node(), "pattern");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            causes.add(FieldError.invalidString(
                    path + ".pattern",
                    pattern,
                    "must be a valid regular expression, but isn't: " + e.getDescription()));
        }
    }

    /** Validates that a schema in a combination only narrows the schema outside of it. */
    private void nested(
            StructuralSchema outer,
            StructuralSchema inner,
            boolean typed,
            boolean either,
            String path,
            String outerPath) {
        if (!typed && !inner.type().isEmpty()) {
            causes.add(FieldError.forbidden(path + ".type", "must be empty to be structural"));
        }
        FORBIDDEN_BELOW.forEach((field, rule) -> {
            JsonNode value = inner.node().path(field);
            boolean unset = value.isMissingNode() || (value.isBoolean() && !value.booleanValue());
            if (!unset || (field.equals("additionalProperties") && !value.isMissingNode())) {
                causes.add(FieldError.forbidden(path + "." + field, rule));
            }
        });
        inner.items()
                .ifPresent(items -> nested(
                        outer.items().orElse(outer), items, false, false, path + ".items", outerPath + ".items"));
        for (Map.Entry<String, JsonNode> property :
                inner.node().path("properties").properties()) {
            property(outer, property.getKey(), new StructuralSchema(property.getValue()), path, outerPath);
        }
        narrowing(outer, inner, either, path, outerPath);
    }

    private void property(StructuralSchema outer, String name, StructuralSchema inner, String path, String outerPath) {
        String where = path + ".properties[" + name + "]";
        String described = outerPath + ".properties[" + name + "]";
        JsonNode property = outer.node().path("properties").path(name);
        boolean open = outer.node().path("additionalProperties").isObject() || outer.keepsUnknown();
        if (name.equals("metadata")) {
            causes.add(FieldError.forbidden(where, "must not be specified in a nested context"));
        } else if (!property.isObject() && !open) {
            causes.add(FieldError.required(described, "because it is defined in " + where));
        }
        nested(new StructuralSchema(property), inner, false, false, where, described);
    }
}
