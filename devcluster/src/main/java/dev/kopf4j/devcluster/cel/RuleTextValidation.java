package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates the texts of a rule, before its expressions are compiled:
 * {@code ValidateCustomResourceDefinitionOpenAPISchema} in {@code pkg/apis/apiextensions/validation/validation.go} of
 * apiextensions-apiserver, v1.33. Pure.
 */
final class RuleTextValidation {
    private static final List<String> REASONS =
            List.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");

    private RuleTextValidation() {}

    static List<FieldError> check(StructuralSchema schema, JsonNode rule, String path) {
        List<FieldError> errors = new ArrayList<>();
        message(rule, path, errors);
        String expression = Json.string(rule, "messageExpression");
        if (!expression.isEmpty() && expression.isBlank()) {
            errors.add(FieldError.required(
                    path + ".messageExpression", "messageExpression must be non-empty if specified"));
        }
        String reason = Json.string(rule, "reason");
        if (rule.has("reason") && !REASONS.contains(reason)) {
            errors.add(FieldError.notSupported(path + ".reason", FieldError.quote(reason), REASONS));
        }
        fieldPath(schema, Json.string(rule, "fieldPath"), path + ".fieldPath", errors);
        return errors;
    }

    private static void message(JsonNode rule, String path, List<FieldError> errors) {
        String message = Json.string(rule, "message");
        String expression = Json.string(rule, "rule").strip();
        if (expression.isEmpty()) {
            errors.add(FieldError.required(path + ".rule", "rule is not specified"));
        } else if (!message.isEmpty() && message.isBlank()) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must be non-empty if specified"));
        } else if (hasLineBreak(message.strip())) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must not contain line breaks"));
        } else if (hasLineBreak(expression) && message.isBlank()) {
            errors.add(
                    FieldError.required(path + ".message", "message must be specified if rule contains line breaks"));
        }
    }

    private static void fieldPath(StructuralSchema schema, String field, String path, List<FieldError> errors) {
        if (field.isEmpty()) {
            return;
        }
        if (field.isBlank()) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must be non-empty if specified"));
        }
        if (hasLineBreak(field)) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must not contain line breaks"));
        }
        if (RuleFieldPath.errorPath(schema, field).isEmpty()) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must be a valid path"));
        }
    }

    private static boolean hasLineBreak(String text) {
        return text.contains("\n") || text.contains("\r");
    }
}
