package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Validates label selectors in specs: {@code ValidateLabelSelector} in apimachinery's
 * {@code pkg/apis/meta/v1/validation/validation.go}, v1.33. Pure.
 */
public final class LabelSelectorValidation {
    private LabelSelectorValidation() {}

    /** Reports the errors of a selector; true if there are none. */
    public static boolean check(JsonNode selector, String path, FieldChecks checks) {
        int before = checks.errors().size();
        labels(selector.path("matchLabels"), path + ".matchLabels", checks);
        int index = 0;
        for (JsonNode expression : selector.path("matchExpressions")) {
            expression(expression, path + ".matchExpressions[" + index++ + "]", checks);
        }
        return checks.errors().size() == before;
    }

    /** Whether a selector has no requirements. */
    public static boolean isEmpty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** Reports the errors of plain labels. */
    public static void labels(JsonNode labels, String path, FieldChecks checks) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            String value = label.getValue().asString();
            checks.problem(LabelSyntax.key(label.getKey()), path, label.getKey());
            checks.problem(LabelSyntax.value(value), path, value);
        }
    }

    private static void expression(JsonNode expression, String path, FieldChecks checks) {
        JsonNode values = expression.path("values");
        String operator = Json.string(expression, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    checks.add(FieldError.required(
                            path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    checks.add(FieldError.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default ->
                checks.add(FieldError.invalidString(path + ".operator", operator, "not a valid selector operator"));
        }
        String key = Json.string(expression, "key");
        checks.problem(LabelSyntax.key(key), path + ".key", key);
        for (int index = 0; index < values.size(); index++) {
            String value = values.get(index).asString();
            checks.problem(LabelSyntax.value(value), path + ".values[" + index + "]", value);
        }
    }
}
