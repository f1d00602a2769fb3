package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.cel.RuleValidation;
import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.json.JsonEquality;
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
    private static final int MAX_SELECTABLE_FIELDS = 8;

    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

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
            checkScale(version.path("subresources").path("scale"), scale, checks);
        }
        if (isReported("selectableFields", index)) {
            checkSelectableFields(version, pathOf("selectableFields", path), checks);
        }
        if (!version.path("schema").path("openAPIV3Schema").isObject()) {
            checks.add(FieldError.required(path + ".schema.openAPIV3Schema", "schemas are required"));
            return;
        }
        if (isReported("schema", index)) {
            schema(version, path);
        }
        if (isReported("additionalPrinterColumns", index)) {
            checkColumns(version, pathOf("additionalPrinterColumns", path), checks);
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
            List<FieldError> rules = RuleValidation.validate(
                    schema, where, place -> !structure.isEmpty() || isWithin(place, keywords), isUnchanged(version));
            checks.addAll(rules);
            if (keywords.isEmpty() && structure.isEmpty() && rules.isEmpty()) {
                checks.addAll(StructuralSchemaValidation.brokenByDefaults(schema, where));
            }
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

    /**
     * Validates additional printer columns: {@code ValidateCustomResourceColumnDefinition} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     *
     * @param path the path of the object that has the columns
     */
    private static void checkColumns(JsonNode version, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            String where = path + ".additionalPrinterColumns[" + index++ + "]";
            checks.required(column, "name", where);
            String type = Json.string(column, "type");
            String types = "must be one of " + String.join(",", COLUMN_TYPES);
            if (type.isEmpty()) {
                checks.add(FieldError.required(where + ".type", types));
            } else if (!COLUMN_TYPES.contains(type)) {
                checks.add(FieldError.invalidString(where + ".type", type, types));
            }
            String format = Json.string(column, "format");
            if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
                checks.add(FieldError.invalidString(
                        where + ".format", format, "must be one of " + String.join(",", COLUMN_FORMATS)));
            }
            String jsonPath = Json.string(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where + ".JSONPath", ""));
            } else if (!jsonPath.startsWith(".")) {
                checks.add(FieldError.invalidString(
                        where + ".JSONPath", jsonPath, "must be a simple json path starting with ."));
            }
        }
    }

    /**
     * Validates the paths of a scale subresource: {@code ValidateCustomResourceDefinitionSubresources} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     */
    private static void checkScale(JsonNode scale, String path, FieldChecks checks) {
        if (!scale.isObject()) {
            return;
        }
        below(scale, "specReplicasPath", path, ".spec.", checks);
        below(scale, "statusReplicasPath", path, ".status.", checks);
        String selector = Json.string(scale, "labelSelectorPath");
        if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
            checks.add(FieldError.invalidString(
                    path + ".labelSelectorPath", selector, "should be a json path under either .status or .spec"));
        }
    }

    private static void below(JsonNode scale, String field, String path, String root, FieldChecks checks) {
        String value = Json.string(scale, field);
        if (value.isEmpty()) {
            checks.add(FieldError.required(path + "." + field, ""));
        } else if (!value.startsWith(root)) {
            checks.add(FieldError.invalidString(path + "." + field, value, "should be a json path under " + root));
        }
    }

    /**
     * Validates the fields that selectors may name (KEP-4358): {@code ValidateCustomResourceSelectableFields} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     *
     * @param path the path of the object that has the fields
     */
    private static void checkSelectableFields(JsonNode version, String path, FieldChecks checks) {
        JsonNode fields = version.path("selectableFields");
        if (fields.size() > MAX_SELECTABLE_FIELDS) {
            checks.add(new FieldError(
                    FieldError.Type.TOO_MANY,
                    "Too many: " + fields.size() + ": must have at most " + MAX_SELECTABLE_FIELDS + " items",
                    path + ".selectableFields"));
        }
        Set<String> paths = new HashSet<>();
        int index = 0;
        for (JsonNode field : fields) {
            String where = path + ".selectableFields[" + index++ + "].jsonPath";
            String jsonPath = Json.string(field, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where, ""));
            } else if (!paths.add(jsonPath)) {
                checks.add(FieldError.duplicate(where, FieldError.quote(jsonPath)));
            } else {
                target(version.path("schema").path("openAPIV3Schema"), jsonPath, where, checks);
            }
        }
    }

    private static void target(JsonNode schema, String jsonPath, String where, FieldChecks checks) {
        JsonNode found = schema;
        for (String name : jsonPath.substring(Math.min(1, jsonPath.length())).split("\\.", -1)) {
            found = found.path("properties").path(name);
        }
        boolean metadata = jsonPath.startsWith(".metadata");
        boolean plain = List.of("string", "boolean", "integer").contains(Json.string(found, "type"));
        if (!jsonPath.startsWith(".") || metadata || !plain) {
            checks.add(FieldError.invalidString(
                    where, jsonPath, "must point to a field of type string, boolean or integer outside of metadata"));
        }
    }
}
