package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.IntOrPercentValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates rolling updates: {@code ValidateDeploymentStrategy}, {@code ValidateDaemonSetUpdateStrategy} and what they
 * use in {@code pkg/apis/apps/validation/validation.go}, v1.33. Pure.
 */
final class RollingUpdateValidation {
    private RollingUpdateValidation() {}

    /** Whether an amount is missing or zero. */
    static boolean isNothing(JsonNode amount) {
        return List.of("0", "0%", "").contains(amount.asString(""));
    }

    /** Reports the errors of a deployment's strategy. */
    static void ofDeployment(JsonNode strategy, FieldChecks checks) {
        String path = "spec.strategy";
        checks.oneOf(strategy, "type", path, List.of("Recreate", "RollingUpdate"));
        JsonNode rolling = strategy.path("rollingUpdate");
        String type = Json.string(strategy, "type");
        if (type.equals("Recreate") && rolling.isObject()) {
            checks.add(FieldError.forbidden(
                    path + ".rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        }
        if (type.equals("RollingUpdate")) {
            String least = path + ".rollingUpdate.maxUnavailable";
            IntOrPercentValidation.checkOfWhole(rolling.path("maxUnavailable"), least, checks);
            IntOrPercentValidation.check(rolling.path("maxSurge"), path + ".rollingUpdate.maxSurge", checks);
            if (isNothing(rolling.path("maxUnavailable")) && isNothing(rolling.path("maxSurge"))) {
                checks.add(FieldError.invalid(least, "0", "may not be 0 when `maxSurge` is 0"));
            }
        }
    }

    /** Reports the errors of a daemon set's strategy. */
    static void ofDaemonSet(JsonNode strategy, FieldChecks checks) {
        String path = "spec.updateStrategy";
        checks.oneOf(strategy, "type", path, List.of("RollingUpdate", "OnDelete"));
        if (!Json.string(strategy, "type").equals("RollingUpdate")) {
            return;
        }
        JsonNode unavailable = strategy.path("rollingUpdate").path("maxUnavailable");
        JsonNode surge = strategy.path("rollingUpdate").path("maxSurge");
        String least = path + ".rollingUpdate.maxUnavailable";
        String most = path + ".rollingUpdate.maxSurge";
        IntOrPercentValidation.checkOfWhole(unavailable, least, checks);
        IntOrPercentValidation.checkOfWhole(surge, most, checks);
        if (isNothing(unavailable) && isNothing(surge)) {
            checks.add(FieldError.required(least, "cannot be 0 when maxSurge is 0"));
        } else if (!isNothing(unavailable) && !isNothing(surge)) {
            checks.add(FieldError.invalid(most, Json.text(surge), "may not be set when maxUnavailable is non-zero"));
        }
    }
}
