package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.Cause;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Label selectors in specs. */
final class Selectors {
    private Selectors() {}

    /** What is wrong with a selector; whether nothing is. */
    static boolean check(JsonNode selector, String path, Checks checks) {
        int before = checks.causes().size();
        labels(selector.path("matchLabels"), path + ".matchLabels", checks);
        int index = 0;
        for (JsonNode expression : selector.path("matchExpressions")) {
            expression(expression, path + ".matchExpressions[" + index++ + "]", checks);
        }
        return checks.causes().size() == before;
    }

    /** Whether nothing is asked for. */
    static boolean isEmpty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** What is wrong with plain labels. */
    static void labels(JsonNode labels, String path, Checks checks) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            String value = label.getValue().asString();
            checks.that(LabelSyntax.key(label.getKey()), path, label.getKey());
            checks.that(LabelSyntax.value(value), path, value);
        }
    }

    private static void expression(JsonNode expression, String path, Checks checks) {
        JsonNode values = expression.path("values");
        String operator = Json.string(expression, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    checks.add(
                            Cause.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    checks.add(Cause.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default -> checks.add(Cause.invalidString(path + ".operator", operator, "not a valid selector operator"));
        }
        String key = Json.string(expression, "key");
        checks.that(LabelSyntax.key(key), path + ".key", key);
        for (int index = 0; index < values.size(); index++) {
            String value = values.get(index).asString();
            checks.that(LabelSyntax.value(value), path + ".values[" + index + "]", value);
        }
    }
}
