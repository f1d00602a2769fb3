package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.Pruning;
import dev.kopf4j.devcluster.schema.Schema;
import dev.kopf4j.devcluster.schema.Validation;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether a schema is structural, by {@code pkg/apiserver/schema/validation.go} of apiextensions-apiserver v1.33: types
 * everywhere, combinations that only narrow; and if so, whether its defaults fit.
 */
final class Structural {
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
    private final List<Cause> causes = new ArrayList<>();

    private Structural() {}

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    /** What is wrong, by the path of the schema. */
    static List<Cause> check(Schema schema, String path) {
        Structural structural = new Structural();
        structural.node(schema, Level.ROOT, path);
        if (structural.causes.isEmpty()) {
            structural.presets(schema, path);
        }
        return structural.causes;
    }

    private void node(Schema schema, Level level, String path) {
        if (schema.type().equals("array") && schema.items().isEmpty()) {
            causes.add(Cause.required(path + ".items", "must be specified"));
        }
        schema.items().ifPresent(items -> node(items, Level.ITEM, path + ".items"));
        schema.node()
                .path("properties")
                .properties()
                .forEach(entry ->
                        node(new Schema(entry.getValue()), Level.FIELD, path + ".properties[" + entry.getKey() + "]"));
        JsonNode additional = schema.node().path("additionalProperties");
        if (level == Level.ROOT && schema.node().has("additionalProperties")) {
            causes.add(Cause.forbidden(path + ".additionalProperties", "must not be used at the root"));
        }
        if (additional.isObject()) {
            node(new Schema(additional), Level.FIELD, path + ".additionalProperties");
        }
        boolean either = EITHER.equals(schema.node().path("anyOf"));
        narrowing(schema, schema, either, path, path);
        extensions(schema, path);
        type(schema, level, path);
        resource(schema, level, path);
    }

    private void extensions(Schema schema, String path) {
        if (!schema.flag("x-kubernetes-int-or-string")) {
            return;
        }
        for (String other : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
            if (schema.flag(other)) {
                causes.add(Cause.invalid(
                        path + "." + other, "true", "must be false if x-kubernetes-int-or-string is true"));
            }
        }
    }

    private void type(Schema schema, Level level, String path) {
        String type = schema.type();
        boolean open = schema.flag("x-kubernetes-int-or-string") || schema.flag("x-kubernetes-preserve-unknown-fields");
        if (schema.embedsResource() && !type.equals("object")) {
            String rule = "must be object if x-kubernetes-embedded-resource is true";
            causes.add(
                    type.isEmpty()
                            ? Cause.required(path + ".type", rule)
                            : Cause.invalidString(path + ".type", type, rule));
        } else if (type.isEmpty() && !open) {
            causes.add(Cause.required(path + ".type", "must not be empty " + level.words));
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            causes.add(Cause.invalidString(path + ".type", type, "must be object at the root"));
        }
    }

    /** Objects of the API, at the root or embedded, have their own idea of type and metadata. */
    private void resource(Schema schema, Level level, String path) {
        JsonNode properties = schema.node().path("properties");
        boolean resource = level == Level.ROOT || schema.embedsResource();
        if (schema.embedsResource() && schema.node().has("additionalProperties")) {
            causes.add(Cause.forbidden(
                    path + ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set"));
        }
        for (String name : List.of("kind", "apiVersion", "metadata")) {
            String wanted = name.equals("metadata") ? "object" : "string";
            String found = Json.string(properties, name, "type");
            if (resource && properties.has(name) && !found.equals(wanted)) {
                causes.add(Cause.invalidString(path + ".properties[" + name + "].type", found, "must be " + wanted));
            }
        }
        if (level == Level.ROOT && properties.has("metadata")) {
            metadata(properties.path("metadata"), path + ".properties[metadata]");
        }
        if (schema.embedsResource() && !schema.flag("x-kubernetes-preserve-unknown-fields") && properties.isEmpty()) {
            causes.add(Cause.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields"));
        }
    }

    private void metadata(JsonNode metadata, String path) {
        boolean others = metadata.propertyStream()
                .anyMatch(entry -> !Set.of("type", "default", "properties").contains(entry.getKey()));
        boolean otherFields = metadata.path("properties")
                .propertyStream()
                .anyMatch(entry -> !Set.of("name", "generateName").contains(entry.getKey()));
        if (others || otherFields) {
            causes.add(Cause.forbidden(
                    path,
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }

    /** The combinations in a schema, which is itself one of those or the one that they narrow. */
    private void narrowing(Schema outer, Schema schema, boolean either, String path, String outerPath) {
        for (String list : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : schema.node().path(list)) {
                String where = path + "." + list + "[" + index + "]";
                boolean eitherHere = either && list.equals("anyOf");
                boolean eitherBelow = list.equals("allOf") && index == 0 && EITHER.equals(each.path("anyOf"));
                nested(outer, new Schema(each), eitherHere, eitherBelow, where, outerPath);
                index++;
            }
        }
        if (schema.node().path("not").isObject()) {
            nested(outer, new Schema(schema.node().path("not")), false, false, path + ".not", outerPath);
        }
        pattern(schema, path);
    }

    private void pattern(Schema schema, String path) {
        String pattern = Json.string(schema.node(), "pattern");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            causes.add(Cause.invalidString(
                    path + ".pattern",
                    pattern,
                    "must be a valid regular expression, but isn't: " + e.getDescription()));
        }
    }

    /** Schemas in combinations only narrow what is described outside of them. */
    private void nested(Schema outer, Schema inner, boolean typed, boolean either, String path, String outerPath) {
        if (!typed && !inner.type().isEmpty()) {
            causes.add(Cause.forbidden(path + ".type", "must be empty to be structural"));
        }
        FORBIDDEN_BELOW.forEach((field, rule) -> {
            JsonNode value = inner.node().path(field);
            boolean unset = value.isMissingNode() || (value.isBoolean() && !value.booleanValue());
            if (!unset || (field.equals("additionalProperties") && !value.isMissingNode())) {
                causes.add(Cause.forbidden(path + "." + field, rule));
            }
        });
        inner.items()
                .ifPresent(items -> nested(
                        outer.items().orElse(outer), items, false, false, path + ".items", outerPath + ".items"));
        for (Map.Entry<String, JsonNode> property :
                inner.node().path("properties").properties()) {
            property(outer, property.getKey(), new Schema(property.getValue()), path, outerPath);
        }
        narrowing(outer, inner, either, path, outerPath);
    }

    private void property(Schema outer, String name, Schema inner, String path, String outerPath) {
        String where = path + ".properties[" + name + "]";
        String described = outerPath + ".properties[" + name + "]";
        JsonNode property = outer.node().path("properties").path(name);
        boolean open = outer.node().path("additionalProperties").isObject() || outer.keepsUnknown();
        if (name.equals("metadata")) {
            causes.add(Cause.forbidden(where, "must not be specified in a nested context"));
        } else if (!property.isObject() && !open) {
            causes.add(Cause.required(described, "because it is defined in " + where));
        }
        nested(new Schema(property), inner, false, false, where, described);
    }

    private void presets(Schema schema, String path) {
        preset(schema, path);
        schema.items().ifPresent(items -> presets(items, path + ".items"));
        schema.node()
                .path("properties")
                .properties()
                .forEach(entry -> presets(new Schema(entry.getValue()), path + ".properties[" + entry.getKey() + "]"));
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            presets(new Schema(additional), path + ".additionalProperties");
        }
    }

    private void preset(Schema schema, String path) {
        JsonNode preset = schema.node().get("default");
        if (preset == null) {
            return;
        }
        ObjectNode holder = Json.object();
        holder.set("default", preset);
        ObjectNode properties = Json.object().put("type", "object");
        properties.putObject("properties").set("default", schema.node());
        List<String> unknown = new ArrayList<>();
        Pruning.prune(new Schema(properties), holder.deepCopy(), unknown);
        if (!unknown.isEmpty()) {
            causes.add(Cause.invalid(path + ".default", Json.text(preset), "must not have unknown fields"));
        }
        for (Cause cause : Validation.validate(new Schema(properties), holder, null)) {
            String below = cause.field().startsWith("default") ? cause.field().substring("default".length()) : "";
            causes.add(new Cause(
                    cause.type(), cause.message().replace("default in body", " in body"), path + ".default" + below));
        }
    }
}
