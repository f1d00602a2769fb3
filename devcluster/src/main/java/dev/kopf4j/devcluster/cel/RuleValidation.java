package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates the rules of a custom resource definition's schema themselves;
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Used for one definition.
 */
public final class RuleValidation {
    private static final List<String> REASONS =
            List.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");
    private final List<FieldError> errors = new ArrayList<>();

    private RuleValidation() {}

    /**
     * Validates all rules.
     *
     * @param path the path of the schema
     */
    public static List<FieldError> validate(StructuralSchema schema, String path) {
        RuleValidation validation = new RuleValidation();
        validation.walk(schema, path, true, true);
        return validation.errors;
    }

    private void walk(StructuralSchema schema, String path, boolean resource, boolean correlates) {
        JsonNode rules = schema.node().path(ValidationRule.KEYWORD);
        for (int index = 0; index < rules.size(); index++) {
            String where = path + "." + ValidationRule.KEYWORD + "[" + index + "]";
            expression(schema, rules.get(index), where, resource, correlates);
            message(schema, rules.get(index), where, resource);
            cause(schema, rules.get(index), where);
        }
        schema.node().path("properties").properties().forEach(entry -> {
            String below = path + ".properties[" + entry.getKey() + "]";
            walk(new StructuralSchema(entry.getValue()), below, false, correlates);
        });
        boolean keyed = correlates && schema.listType().equals("map");
        schema.items().ifPresent(items -> walk(items, path + ".items", false, keyed));
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            walk(new StructuralSchema(additional), path + ".additionalProperties", false, correlates);
        }
    }

    private void expression(StructuralSchema schema, JsonNode rule, String path, boolean resource, boolean correlates) {
        String expression = Json.string(rule, "rule");
        if (expression.isBlank()) {
            errors.add(FieldError.required(path + ".rule", "rule is not specified"));
        } else {
            new RuleCompiler(schema, resource)
                    .problemOfRule(rule)
                    .ifPresent(problem -> errors.add(FieldError.invalid(path + ".rule", Json.text(rule), problem)));
        }
        boolean usesOldSelf = ValidationRule.usesOldSelf(expression);
        if (!correlates && usesOldSelf) {
            errors.add(FieldError.invalidString(
                    path + ".rule",
                    expression,
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within a list"));
        }
        if (rule.has("optionalOldSelf") && !usesOldSelf) {
            errors.add(FieldError.invalid(
                    path + ".optionalOldSelf",
                    rule.get("optionalOldSelf").asString(""),
                    "may not be set if oldSelf is not used in rule"));
        }
    }

    private void message(StructuralSchema schema, JsonNode rule, String path, boolean resource) {
        if (rule.has("messageExpression")) {
            new RuleCompiler(schema, resource)
                    .problemOfMessage(rule)
                    .ifPresent(problem ->
                            errors.add(FieldError.invalid(path + ".messageExpression", Json.text(rule), problem)));
        }
        String message = Json.string(rule, "message");
        String expression = Json.string(rule, "rule").strip();
        if (expression.isEmpty()) {
            return;
        }
        if (!message.isEmpty() && message.isBlank()) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must be non-empty if specified"));
        } else if (hasLineBreak(message.strip())) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must not contain line breaks"));
        } else if (hasLineBreak(expression) && message.isBlank()) {
            errors.add(
                    FieldError.required(path + ".message", "message must be specified if rule contains line breaks"));
        }
    }

    private static boolean hasLineBreak(String text) {
        return text.contains("\n") || text.contains("\r");
    }

    private void cause(StructuralSchema schema, JsonNode rule, String path) {
        String reason = Json.string(rule, "reason");
        if (!reason.isEmpty() && !REASONS.contains(reason)) {
            errors.add(FieldError.notSupported(path + ".reason", FieldError.quote(reason), REASONS));
        }
        String field = Json.string(rule, "fieldPath");
        if (!field.isEmpty() && RuleFieldPath.errorPath(schema, field).isEmpty()) {
            errors.add(FieldError.invalidString(path + ".fieldPath", field, "fieldPath must be a valid path"));
        }
    }
}
