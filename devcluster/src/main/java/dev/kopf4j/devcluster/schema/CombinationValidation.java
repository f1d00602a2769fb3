package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The keywords that combine schemas: anyOf, oneOf, allOf, not; {@code pkg/validation/validate/schema_props.go} of
 * kube-openapi. Confined to one value.
 */
final class CombinationValidation {
    private final ValidationResult result;
    private final JsonNode value;
    private final String path;

    CombinationValidation(ValidationResult result, JsonNode value, String path) {
        this.result = result;
        this.value = value;
        this.path = path;
    }

    /** Adds the errors to the result. */
    void validate(StructuralSchema schema) {
        result.count(2);
        any(resultsOf(schema, "anyOf"));
        one(resultsOf(schema, "oneOf"));
        all(resultsOf(schema, "allOf"));
        JsonNode not = schema.node().path("not");
        if (not.isObject() && resultOf(not).isValid()) {
            refuse("must not validate the schema (not)");
        }
    }

    private void any(List<ValidationResult> results) {
        Optional<ValidationResult> first =
                results.stream().filter(ValidationResult::isValid).findFirst();
        first.ifPresent(result::merge);
        if (!results.isEmpty() && first.isEmpty()) {
            refuse("must validate at least one schema (anyOf)");
            result.merge(withMostChecks(results));
        }
    }

    private void one(List<ValidationResult> results) {
        List<ValidationResult> valid =
                results.stream().filter(ValidationResult::isValid).toList();
        if (valid.size() == 1) {
            result.merge(valid.getFirst());
        } else if (!valid.isEmpty()) {
            refuse("must validate one and only one schema (oneOf). Found " + valid.size() + " valid alternatives");
        } else if (!results.isEmpty()) {
            refuse("must validate one and only one schema (oneOf). Found none valid");
            result.merge(withMostChecks(results));
        }
    }

    private void all(List<ValidationResult> results) {
        results.forEach(result::merge);
        long valid = results.stream().filter(ValidationResult::isValid).count();
        if (valid < results.size()) {
            refuse("must validate all the schemas (allOf)" + (valid == 0 ? ". None validated" : ""));
        }
    }

    /** kube-openapi reports failures of combinations without a field. */
    private void refuse(String rule) {
        result.add(FieldError.invalid("<nil>", "\"\"", "\"" + path + "\" " + rule));
    }

    private static ValidationResult withMostChecks(List<ValidationResult> results) {
        ValidationResult most = results.getFirst();
        for (ValidationResult each : results) {
            most = each.checks() > most.checks() ? each : most;
        }
        return most;
    }

    private List<ValidationResult> resultsOf(StructuralSchema schema, String keyword) {
        return schema.node().path(keyword).valueStream().map(this::resultOf).toList();
    }

    /** Tries one schema, which also counts for what is unchanged. */
    private ValidationResult resultOf(JsonNode schema) {
        ValidationResult inner = new ValidationResult();
        new SchemaValidation(inner).validateAnew(new StructuralSchema(schema), value, null, path);
        return inner;
    }
}
