package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.cel.RuleValidation;
import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
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
    private final RuleTable table;
    private final ObjectDraft draft;
    private final FieldChecks checks;
    private final JsonNode versions;
    private final JsonNode before;

    /** Validates the versions of a definition, the parts of each by the rows of a table. */
    CrdVersionValidation(RuleTable table, Place definition, FieldChecks checks) {
        this.table = table;
        this.draft = definition.draft();
        this.checks = checks;
        this.versions = Json.at(definition.now(), "spec", "versions");
        this.before = Json.at(definition.before(), "spec", "versions");
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
        table.check("Version", Place.of(draft, version, path), checks);
        part("subresources", "Scale", version, index);
        part("selectableFields", "SelectableFields", version, index);
        if (!Json.at(version, "schema", "openAPIV3Schema").isObject()) {
            checks.add(FieldError.required(path + ".schema.openAPIV3Schema", "schemas are required"));
            return;
        }
        if (isReported("schema", index)) {
            schema(version, path);
        }
        part("additionalPrinterColumns", "Columns", version, index);
    }

    private void part(String field, String shape, JsonNode version, int index) {
        if (isReported(field, index)) {
            String path = isShared(field) ? "spec" : "spec.versions[" + index + "]";
            table.check(shape, Place.of(draft, version, path), checks);
        }
    }

    private boolean isReported(String field, int index) {
        return index == 0 || !isShared(field);
    }

    private boolean isShared(String field) {
        return versions.valueStream()
                .allMatch(each ->
                        JsonEquality.same(each.get(field), versions.path(0).get(field)));
    }

    private void schema(JsonNode version, String path) {
        StructuralSchema schema = new StructuralSchema(version.path("schema").path("openAPIV3Schema"));
        String where = isShared("schema") ? "spec.validation.openAPIV3Schema" : path + ".schema.openAPIV3Schema";
        boolean status = version.path("subresources").has("status");
        List<FieldError> keywords = SchemaKeywordValidation.check(table, draft, schema, status, where);
        List<FieldError> structure = StructuralSchemaValidation.check(table, draft, schema, where);
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
}
