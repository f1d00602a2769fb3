package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.cel.RuleValidation;
import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates the versions of a definition: {@code validateCustomResourceDefinitionVersion} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. A real server moves
 * settings that all versions share to the top before it validates: their errors come once, with another path. Used for
 * one definition.
 */
final class CrdVersionValidation {
    private static final int MAX_WARNING = 256;
    private final FieldChecks checks;
    private final JsonNode versions;
    private final JsonNode before;

    /**
     * Validates versions.
     *
     * @param before the versions before the change; missing if the definition is new
     */
    CrdVersionValidation(JsonNode versions, JsonNode before, FieldChecks checks) {
        this.checks = checks;
        this.versions = versions;
        this.before = before;
    }

    void check() {
        Set<String> names = new HashSet<>();
        int storage = 0;
        boolean unique = true;
        for (int index = 0; index < versions.size(); index++) {
            JsonNode version = versions.get(index);
            unique &= names.add(Json.string(version, "name"));
            storage += version.path("storage").booleanValue(false) ? 1 : 0;
            version(version, index);
        }
        if (!unique) {
            refuse("must contain unique version names");
        }
        if (storage != 1) {
            refuse("must have exactly one version marked as storage version");
        }
    }

    private void refuse(String rule) {
        List<String> names = versions.valueStream()
                .map(version -> Json.string(version, "name"))
                .toList();
        checks.add(FieldError.invalid("spec.versions", Json.text(Json.array(names)), rule));
    }

    private void version(JsonNode version, int index) {
        String path = "spec.versions[" + index + "]";
        name(Json.string(version, "name"), path);
        deprecation(version, path);
        if (isReported("subresources", index)) {
            String scale = pathOf("subresources", path) + ".subresources.scale";
            ScaleSubresourceValidation.check(version.path("subresources").path("scale"), scale, checks);
        }
        if (isReported("selectableFields", index)) {
            SelectableFieldValidation.check(version, pathOf("selectableFields", path), checks);
        }
        if (!version.path("schema").path("openAPIV3Schema").isObject()) {
            checks.add(FieldError.required(path + ".schema.openAPIV3Schema", "schemas are required"));
            return;
        }
        if (isReported("schema", index)) {
            schema(version, path);
        }
        if (isReported("additionalPrinterColumns", index)) {
            PrinterColumnValidation.check(version, pathOf("additionalPrinterColumns", path), checks);
        }
    }

    private boolean isReported(String field, int index) {
        return index == 0 || !isShared(field);
    }

    private String pathOf(String field, String path) {
        return isShared(field) ? "spec" : path;
    }

    private boolean isShared(String field) {
        return versions.valueStream()
                .allMatch(each ->
                        JsonEquality.same(each.get(field), versions.path(0).get(field)));
    }

    private void name(String name, String path) {
        if (name.isEmpty()) {
            checks.add(FieldError.invalidString(path + ".name", name, "a DNS-1035 label is needed"));
        }
        CrdNameValidation.label(name, path + ".name", checks);
    }

    private void deprecation(JsonNode version, String path) {
        if (!version.has("deprecationWarning")) {
            return;
        }
        String warning = Json.string(version, "deprecationWarning");
        if (!version.path("deprecated").booleanValue(false)) {
            checks.add(FieldError.invalidString(
                    path + ".deprecationWarning", warning, "can only be set for deprecated versions"));
        } else if (warning.isEmpty() || warning.length() > MAX_WARNING) {
            checks.add(FieldError.invalidString(
                    path + ".deprecationWarning", warning, "must be of 1 to " + MAX_WARNING + " characters"));
        }
    }

    private void schema(JsonNode version, String path) {
        StructuralSchema schema = new StructuralSchema(version.path("schema").path("openAPIV3Schema"));
        String where = isShared("schema") ? "spec.validation.openAPIV3Schema" : path + ".schema.openAPIV3Schema";
        boolean status = version.path("subresources").has("status");
        List<FieldError> keywords = SchemaKeywordValidation.check(schema, status, where);
        List<FieldError> structure = StructuralSchemaValidation.check(schema, where);
        checks.addAll(keywords);
        checks.addAll(structure);
        if (ValidationRules.exist(schema)) {
            checks.addAll(RuleValidation.validate(
                    schema, where, place -> !structure.isEmpty() || isWithin(place, keywords), isUnchanged(version)));
        }
    }

    private static boolean isWithin(String path, List<FieldError> errors) {
        return errors.stream().anyMatch(error -> error.field().startsWith(path));
    }

    private boolean isUnchanged(JsonNode version) {
        String name = Json.string(version, "name");
        return before.valueStream()
                .filter(former -> Json.string(former, "name").equals(name))
                .anyMatch(former -> JsonEquality.same(former.get("schema"), version.get("schema")));
    }
}
