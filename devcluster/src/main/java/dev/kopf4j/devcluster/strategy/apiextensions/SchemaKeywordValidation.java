package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates the keywords of schemas in definitions, at any depth:
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
 */
final class SchemaKeywordValidation {
    private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");
    /** The keywords that the root may have, besides a type, if there is a status subresource. */
    private static final Set<String> WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");

    private final RuleTable table;
    private final ObjectDraft draft;
    private final FieldChecks checks = new FieldChecks();
    private final List<FieldError> causes = checks.errors();

    private SchemaKeywordValidation(RuleTable table, ObjectDraft draft) {
        this.table = table;
        this.draft = draft;
    }

    /**
     * The errors of a schema.
     *
     * @param path the path of the schema
     */
    static List<FieldError> check(
            RuleTable table, ObjectDraft draft, StructuralSchema structuralSchema, boolean status, String path) {
        SchemaKeywordValidation validation = new SchemaKeywordValidation(table, draft);
        validation.root(structuralSchema, status, path);
        validation.node(structuralSchema, Within.ROOT, path);
        return validation.causes;
    }

    private void root(StructuralSchema structuralSchema, boolean status, String path) {
        boolean other =
                structuralSchema.node().propertyStream().anyMatch(entry -> !WITH_STATUS.contains(entry.getKey()));
        if (status && other) {
            causes.add(FieldError.invalid(
                    path,
                    Json.text(structuralSchema.node()),
                    "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength"
                            + " MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties"
                            + " ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root"
                            + " of the schema if the status subresource is enabled"));
        }
        if (structuralSchema.flag("nullable")) {
            causes.add(FieldError.forbidden(path + ".nullable", "nullable cannot be true at the root"));
        }
    }

    /**
     * Where a schema stands: {@code specStandardValidatorV3}.
     *
     * @param root whether it is that of the whole object
     * @param meta whether it is within the type or metadata of a resource
     * @param noDefaults where defaults are forbidden; empty if they are not
     */
    private record Within(boolean root, boolean meta, String noDefaults) {
        static final Within ROOT = new Within(true, false, "");

        Within property(StructuralSchema of, String name) {
            boolean ofResource = (root || of.embedsResource()) && META.contains(name);
            return new Within(false, meta || ofResource, ofResource && root ? "in top-level " + name : noDefaults);
        }

        Within additional() {
            return new Within(
                    false, meta, meta ? "inside additionalProperties applying to object metadata" : noDefaults);
        }

        Within inner() {
            return new Within(false, meta, noDefaults);
        }
    }

    private void node(StructuralSchema structuralSchema, Within within, String path) {
        Place place = Place.of(draft, structuralSchema.node(), path);
        table.check("Keywords", place, checks);
        if (!within.noDefaults().isEmpty() && structuralSchema.node().has("default")) {
            causes.add(FieldError.forbidden(path + ".default", "must not be set " + within.noDefaults()));
        }
        if (within.meta() && structuralSchema.embedsResource()) {
            causes.add(FieldError.forbidden(
                    path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta"));
        }
        table.check("Lists", place, checks);
        below(structuralSchema, within, path);
    }

    private void below(StructuralSchema structuralSchema, Within within, String path) {
        structuralSchema.items().ifPresent(items -> node(items, within.inner(), path + ".items"));
        for (Map.Entry<String, JsonNode> entry :
                structuralSchema.node().path("properties").properties()) {
            node(
                    new StructuralSchema(entry.getValue()),
                    within.property(structuralSchema, entry.getKey()),
                    path + ".properties[" + entry.getKey() + "]");
        }
        for (String name : List.of("additionalProperties", "not")) {
            if (structuralSchema.node().path(name).isObject()) {
                node(
                        new StructuralSchema(structuralSchema.node().path(name)),
                        name.equals("not") ? within.inner() : within.additional(),
                        path + "." + name);
            }
        }
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : structuralSchema.node().path(name)) {
                node(new StructuralSchema(each), within.inner(), path + "." + name + "[" + index++ + "]");
            }
        }
    }

    /** A key of a list's elements, beside the rows. */
    static void mapKey(Place place, FieldChecks checks) {
        Place schema = place.array().parent();
        String key = place.text();
        JsonNode items = schema.now().path("items");
        JsonNode property = items.path("properties").path(key);
        String described = schema.path() + ".items.properties[" + key + "]";
        if (place.array().hasSeen("key", key)) {
            checks.problem("must not contain duplicate entries", place.path(), key);
        }
        if (!property.isObject()) {
            checks.problem("entries must all be names of item properties", place.path(), key);
            return;
        }
        String type = Json.string(property, "type");
        if (Set.of("array", "object").contains(type)) {
            String rule = "must be a scalar type if parent array's x-kubernetes-list-type is map";
            checks.problem(rule, described + ".type", type);
        }
        boolean required = Json.items(items, "required")
                .anyMatch(each -> each.stringValue("").equals(key));
        if (!required && !property.has("default")) {
            checks.add(FieldError.required(
                    described + ".default",
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                            + " property"));
        }
        if (property.path("nullable").booleanValue(false)) {
            checks.add(FieldError.forbidden(
                    described + ".nullable",
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
        }
    }
}
