package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Match conditions of webhooks and policies: {@code validateMatchConditions} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33. Pure.
 */
final class MatchConditionValidation {
    private static final int MOST = 64;

    private MatchConditionValidation() {}

    /**
     * Reports what is wrong with conditions.
     *
     * @param params whether they may use {@code params}
     */
    static void check(JsonNode conditions, boolean params, String path, FieldChecks checks) {
        if (conditions.size() > MOST) {
            checks.add(FieldError.tooMany(path, conditions.size(), MOST));
        }
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode condition : conditions) {
            String where = path + "[" + index++ + "]";
            expression(Json.string(condition, "expression").strip(), params, where + ".expression", checks);
            String name = Json.string(condition, "name");
            if (name.isEmpty()) {
                checks.add(FieldError.required(where + ".name", ""));
            } else {
                checks.problem(LabelSyntax.key(name), where + ".name", name);
                if (!names.add(name)) {
                    checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
                }
            }
        }
    }

    private static void expression(String expression, boolean params, String path, FieldChecks checks) {
        if (expression.isEmpty()) {
            checks.add(FieldError.required(path, ""));
        } else {
            checks.problem(
                    new AdmissionExpressionCheck(params)
                            .problem(expression, AdmissionExpressionCheck.Result.BOOL, true),
                    path,
                    expression);
        }
    }
}
