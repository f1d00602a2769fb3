package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.SchemaPruning;
import dev.kopf4j.devcluster.schema.SchemaValidation;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.value.GoPatterns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates that a schema is structural: it has types everywhere, and combinations only narrow it;
 * {@code pkg/apiserver/schema/validation.go} of apiextensions-apiserver, v1.33. If it is structural, validates its
 * defaults.
 */
final class StructuralSchemaValidation {
    private static final String ROOT = "Root";
    private final RuleTable table;
    private final ObjectDraft draft;
    private final FieldChecks checks = new FieldChecks();
    private final List<FieldError> causes = checks.errors();

    private StructuralSchemaValidation(RuleTable table, ObjectDraft draft) {
        this.table = table;
        this.draft = draft;
    }

    /**
     * The errors of a schema.
     *
     * @param path the path of the schema
     */
    static List<FieldError> check(RuleTable table, ObjectDraft draft, StructuralSchema structuralSchema, String path) {
        StructuralSchemaValidation validation = new StructuralSchemaValidation(table, draft);
        validation.node(structuralSchema, ROOT, path);
        if (validation.causes.isEmpty()) {
            new SchemaDefaultValidation(validation.causes, false).check(structuralSchema, path);
        }
        return validation.causes;
    }

    /**
     * Which rules the defaults of a schema break, whose rules are right.
     *
     * @param path the path of the schema
     */
    static List<FieldError> brokenByDefaults(StructuralSchema structuralSchema, String path) {
        List<FieldError> causes = new ArrayList<>();
        new SchemaDefaultValidation(causes, true).check(structuralSchema, path);
        return causes;
    }

    /**
     * Validates a place of a schema, and all below.
     *
     * @param level the rows for such a place
     */
    private void node(StructuralSchema structuralSchema, String level, String path) {
        if (structuralSchema.type().equals("array") && structuralSchema.items().isEmpty()) {
            causes.add(FieldError.required(path + ".items", "must be specified"));
        }
        structuralSchema.items().ifPresent(items -> node(items, "Item", path + ".items"));
        structuralSchema
                .node()
                .path("properties")
                .properties()
                .forEach(entry -> node(
                        new StructuralSchema(entry.getValue()), "Field", path + ".properties[" + entry.getKey() + "]"));
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        if (level.equals(ROOT) && structuralSchema.node().has("additionalProperties")) {
            causes.add(FieldError.forbidden(path + ".additionalProperties", "must not be used at the root"));
        }
        if (additional.isObject()) {
            node(new StructuralSchema(additional), "Field", path + ".additionalProperties");
        }
        new SchemaCombinationValidation(causes).check(structuralSchema, level.equals(ROOT), path);
        table.check(level, Place.of(draft, structuralSchema.node(), path), checks);
    }

    /** What the schema of a whole object says of its metadata, beside the rows. */
    static void metadataOfRoot(Place metadata, FieldChecks checks) {
        boolean others = metadata.now()
                .propertyStream()
                .anyMatch(entry -> !Set.of("type", "default", "properties").contains(entry.getKey()));
        boolean otherFields = metadata.now()
                .path("properties")
                .propertyStream()
                .anyMatch(entry -> !Set.of("name", "generateName").contains(entry.getKey()));
        if (others || otherFields) {
            checks.add(FieldError.forbidden(
                    metadata.path(),
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }

    /**
     * Validates that the combinations at one place of a schema (allOf, anyOf, oneOf, not) only narrow it, and that
     * patterns are regular expressions: {@code validateNestedValueValidation} in
     * {@code pkg/apiserver/schema/validation.go} of apiextensions-apiserver, v1.33. Those of the root name only what is
     * declared ({@code complete.go} beside it); a real server does not ask that of others.
     */
    private static final class SchemaCombinationValidation {
        private static final JsonNode EITHER = Json.parse("[{\"type\":\"integer\"},{\"type\":\"string\"}]");
        private static final List<Map.Entry<String, String>> FORBIDDEN_BELOW = List.of(
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

        void check(StructuralSchema structuralSchema, boolean declared, String path) {
            boolean either = EITHER.equals(structuralSchema.node().path("anyOf"));
            narrowing(
                    declared ? Optional.of(structuralSchema) : Optional.empty(), structuralSchema, either, path, path);
        }

        /**
         * Validates the combinations in a schema, which may be a part of a combination itself.
         *
         * @param outer what is declared at the same place; empty if nobody asks for it
         */
        private void narrowing(
                Optional<StructuralSchema> outer,
                StructuralSchema structuralSchema,
                boolean either,
                String path,
                String outerPath) {
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
            GoPatterns.problem(pattern)
                    .ifPresent(problem -> causes.add(FieldError.invalidString(
                            path + ".pattern", pattern, "must be a valid regular expression, but isn't: " + problem)));
        }

        /** Validates that a schema in a combination only narrows the schema outside of it. */
        private void nested(
                Optional<StructuralSchema> outer,
                StructuralSchema inner,
                boolean typed,
                boolean either,
                String path,
                String outerPath) {
            if (!typed && !inner.type().isEmpty()) {
                causes.add(FieldError.forbidden(path + ".type", "must be empty to be structural"));
            }
            FORBIDDEN_BELOW.forEach(each -> {
                String field = each.getKey();
                JsonNode value = inner.node().path(field);
                boolean unset = value.isMissingNode() || (value.isBoolean() && !value.booleanValue());
                if (!unset) {
                    causes.add(FieldError.forbidden(path + "." + field, each.getValue()));
                }
            });
            inner.items()
                    .ifPresent(items -> below(
                            outer.isPresent(),
                            outer.flatMap(StructuralSchema::items),
                            items,
                            path + ".items",
                            outerPath + ".items"));
            for (Map.Entry<String, JsonNode> property :
                    inner.node().path("properties").properties()) {
                property(outer, property.getKey(), new StructuralSchema(property.getValue()), path, outerPath);
            }
            narrowing(outer, inner, either, path, outerPath);
        }

        private void property(
                Optional<StructuralSchema> outer, String name, StructuralSchema inner, String path, String outerPath) {
            String where = path + ".properties[" + name + "]";
            if (name.equals("metadata")) {
                causes.add(FieldError.forbidden(where, "must not be specified in a nested context"));
            }
            Optional<StructuralSchema> declared = outer.map(
                            schema -> schema.node().path("properties").path(name))
                    .filter(JsonNode::isObject)
                    .map(StructuralSchema::new);
            below(outer.isPresent(), declared, inner, where, outerPath + ".properties[" + name + "]");
        }

        /** Below what is not declared, nothing else is asked for. */
        private void below(
                boolean asked,
                Optional<StructuralSchema> declared,
                StructuralSchema inner,
                String path,
                String outerPath) {
            if (asked && declared.isEmpty()) {
                causes.add(FieldError.required(outerPath, "because it is defined in " + path));
            }
            nested(declared, inner, false, false, path, outerPath);
        }
    }

    /**
     * Validates that the defaults in a schema fit it: {@code pkg/apiserver/schema/defaulting/validation.go} of
     * apiextensions-apiserver, v1.33.
     */
    private static final class SchemaDefaultValidation {
        private final List<FieldError> causes;
        private final boolean rules;

        /**
         * Adds the errors to a list.
         *
         * @param rules whether defaults are held to rules, and not to the schema
         */
        SchemaDefaultValidation(List<FieldError> causes, boolean rules) {
            this.causes = causes;
            this.rules = rules;
        }

        /** Defaults of additional properties are not looked at. */
        void check(StructuralSchema structuralSchema, String path) {
            ofField(structuralSchema, path);
            structuralSchema.items().ifPresent(items -> check(items, path + ".items"));
            structuralSchema
                    .node()
                    .path("properties")
                    .properties()
                    .forEach(entry -> check(
                            new StructuralSchema(entry.getValue()), path + ".properties[" + entry.getKey() + "]"));
        }

        private void ofField(StructuralSchema structuralSchema, String path) {
            JsonNode preset = structuralSchema.node().get("default");
            if (preset == null) {
                return;
            }
            ObjectNode holder = Json.object();
            holder.set("default", preset);
            ObjectNode properties = Json.object().put("type", "object");
            properties.putObject("properties").set("default", structuralSchema.node());
            StructuralSchema ofHolder = new StructuralSchema(properties);
            for (FieldError fieldError : rules ? broken(ofHolder, holder) : misfits(ofHolder, holder, path)) {
                String below = fieldError.field().startsWith("default")
                        ? fieldError.field().substring("default".length())
                        : "";
                causes.add(new FieldError(
                        fieldError.type(),
                        fieldError.message().replace("default in body", " in body"),
                        path + ".default" + below));
            }
        }

        private List<FieldError> misfits(StructuralSchema ofHolder, ObjectNode holder, String path) {
            List<String> unknown = new ArrayList<>();
            SchemaPruning.prune(ofHolder, holder.deepCopy(), unknown);
            if (!unknown.isEmpty()) {
                causes.add(FieldError.invalid(
                        path + ".default", Json.text(holder.get("default")), "must not have unknown fields"));
            }
            return SchemaValidation.validate(ofHolder, holder, null);
        }

        /** A default is a value that stays, and one that is new. */
        private static List<FieldError> broken(StructuralSchema ofHolder, ObjectNode holder) {
            ValidationRules validation = new ValidationRules(ofHolder);
            ValidationRules.Findings stays = validation.check(holder, holder);
            List<FieldError> errors = new ArrayList<>(stays.errors());
            errors.addAll(stays.ratcheted());
            return errors.isEmpty() ? validation.check(holder, null).errors() : errors;
        }
    }
}
