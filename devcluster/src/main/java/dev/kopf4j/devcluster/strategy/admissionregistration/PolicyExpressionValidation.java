package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck;
import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck.Result;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The expressions of a policy: {@code validateVariable}, {@code validateValidation} and {@code validateAuditAnnotation}
 * in {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33. Used for one policy.
 */
final class PolicyExpressionValidation {
    private static final int MOST_ANNOTATIONS = 20;
    private static final int LONGEST_ANNOTATION = 5 * 1024;
    private static final String NONE = "validations or auditAnnotations must contain at least one item";
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final Set<String> RESERVED = Set.of(
            ("true false null in as break const continue else for function if import let loop package namespace return"
                            + " var void while")
                    .split(" "));

    private final FieldChecks checks;
    private final AdmissionExpressionCheck expressions;

    /**
     * Knows no variables.
     *
     * @param params whether expressions may use {@code params}
     */
    PolicyExpressionValidation(FieldChecks checks, boolean params) {
        this.checks = checks;
        this.expressions = new AdmissionExpressionCheck(params);
    }

    /** Reports what is wrong with the expressions of a policy of this name. */
    void check(JsonNode spec, String name) {
        if (!spec.path("variables").isEmpty()) {
            expressions.compose();
        }
        each(spec, "variables", this::variable);
        if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
            checks.add(FieldError.required("spec.validations", NONE));
            checks.add(FieldError.required("spec.auditAnnotations", NONE));
            return;
        }
        each(spec, "validations", this::validation);
        annotations(spec.path("auditAnnotations"), name);
    }

    private interface Element {
        void check(JsonNode element, String path);
    }

    private static void each(JsonNode spec, String field, Element element) {
        int index = 0;
        for (JsonNode each : spec.path(field)) {
            element.check(each, "spec." + field + "[" + index++ + "]");
        }
    }

    private void variable(JsonNode variable, String path) {
        String name = Json.string(variable, "name");
        if (name.isBlank()) {
            checks.add(FieldError.required(path + ".name", "name is not specified"));
        } else if (!IDENTIFIER.matcher(name).matches() || RESERVED.contains(name)) {
            checks.problem("name is not a valid CEL identifier", path + ".name", name);
        }
        String expression = Json.string(variable, "expression");
        if (expression.isBlank()) {
            checks.add(FieldError.required(path + ".expression", "expression is not specified"));
        } else {
            checks.problem(expressions.variable(name, expression), path + ".expression", expression);
        }
    }

    private void validation(JsonNode validation, String path) {
        String expression = Json.string(validation, "expression");
        if (expression.isBlank()) {
            checks.add(FieldError.required(path + ".expression", "expression is not specified"));
        } else {
            checks.problem(expressions.problem(expression, Result.BOOL, true), path + ".expression", expression);
        }
        messageExpression(Json.string(validation, "messageExpression"), path + ".messageExpression");
        message(Json.string(validation, "message"), path + ".message");
        checks.oneOf(validation, "reason", path, REASONS);
    }

    private void messageExpression(String expression, String path) {
        if (expression.isBlank()) {
            checks.problem(expression.isEmpty() ? "" : "must be non-empty if specified", path, expression);
        } else {
            checks.problem(expressions.problem(expression, Result.TEXT, false), path, expression);
        }
    }

    private void message(String message, String path) {
        if (!message.isEmpty() && message.isBlank()) {
            checks.problem("message must be non-empty if specified", path, message);
        } else if (message.strip().contains("\n") || message.strip().contains("\r")) {
            checks.problem("message must not contain line breaks", path, message);
        }
    }

    private void annotations(JsonNode annotations, String policy) {
        String path = "spec.auditAnnotations";
        if (annotations.size() > MOST_ANNOTATIONS) {
            checks.add(FieldError.invalid(path, Json.text(annotations), "must not have more than 20 auditAnnotations"));
        }
        Set<String> keys = new HashSet<>();
        int index = 0;
        for (JsonNode annotation : annotations) {
            String where = path + "[" + index++ + "]";
            String key = Json.string(annotation, "key");
            if (policy.isEmpty()) {
                checks.problem("requires metadata.name be non-empty", where + ".key", key);
            } else {
                checks.problem(LabelSyntax.key(policy + "/" + key), where + ".key", policy + "/" + key);
            }
            value(Json.string(annotation, "valueExpression"), where + ".valueExpression");
            if (!keys.add(key)) {
                checks.add(FieldError.duplicate(where + ".key", FieldError.quote(key)));
            }
        }
    }

    private void value(String expression, String path) {
        String stripped = expression.strip();
        if (stripped.isEmpty()) {
            checks.add(FieldError.required(path, "valueExpression is not specified"));
        } else if (stripped.length() > LONGEST_ANNOTATION) {
            checks.add(FieldError.required(path, "must not exceed " + LONGEST_ANNOTATION + " bytes in length"));
        } else {
            checks.problem(expressions.problem(stripped, Result.TEXT_OR_NULL, true), path, expression);
        }
    }
}
