package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Label selectors in specs. */
public final class LabelSelectorValidation {
    private LabelSelectorValidation() {}

    /** What is wrong with a selector; whether nothing is. */
    public static boolean check(JsonNode selector, String path, FieldChecks fieldChecks) {
        int before = fieldChecks.causes().size();
        labels(selector.path("matchLabels"), path + ".matchLabels", fieldChecks);
        int index = 0;
        for (JsonNode expression : selector.path("matchExpressions")) {
            expression(expression, path + ".matchExpressions[" + index++ + "]", fieldChecks);
        }
        return fieldChecks.causes().size() == before;
    }

    /** Whether nothing is asked for. */
    public static boolean isEmpty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** What is wrong with plain labels. */
    public static void labels(JsonNode labels, String path, FieldChecks fieldChecks) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            String value = label.getValue().asString();
            fieldChecks.that(LabelSyntax.key(label.getKey()), path, label.getKey());
            fieldChecks.that(LabelSyntax.value(value), path, value);
        }
    }

    private static void expression(JsonNode expression, String path, FieldChecks fieldChecks) {
        JsonNode values = expression.path("values");
        String operator = Json.string(expression, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    fieldChecks.add(FieldError.required(
                            path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    fieldChecks.add(FieldError.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default ->
                fieldChecks.add(
                        FieldError.invalidString(path + ".operator", operator, "not a valid selector operator"));
        }
        String key = Json.string(expression, "key");
        fieldChecks.that(LabelSyntax.key(key), path + ".key", key);
        for (int index = 0; index < values.size(); index++) {
            String value = values.get(index).asString();
            fieldChecks.that(LabelSyntax.value(value), path + ".values[" + index + "]", value);
        }
    }
}
