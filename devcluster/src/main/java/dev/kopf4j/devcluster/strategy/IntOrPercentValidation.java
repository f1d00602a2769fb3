package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.status.FieldError;
import tools.jackson.databind.JsonNode;

/**
 * Validates amounts that are a number or a percentage: {@code ValidatePositiveIntOrPercent} and
 * {@code IsNotMoreThan100Percent} in {@code pkg/apis/apps/validation/validation.go}, v1.33. Pure.
 */
public final class IntOrPercentValidation {
    private static final String RULE = "a valid percent string must be a numeric string followed by an ending '%'";
    private static final String EXAMPLE = " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    private IntOrPercentValidation() {}

    /** Requires that a value, if present, is a number from 0 or a percentage. */
    public static void check(JsonNode amount, String path, FieldChecks checks) {
        if (amount.isNumber() && amount.longValue() < 0) {
            checks.add(FieldError.invalid(path, amount.asString(), "must be greater than or equal to 0"));
        } else if (amount.isString() && !amount.stringValue().matches("[0-9]+%")) {
            checks.add(FieldError.invalidString(path, amount.stringValue(), RULE + EXAMPLE));
        }
    }

    /** The same, for percentages up to 100. */
    public static void checkOfWhole(JsonNode amount, String path, FieldChecks checks) {
        check(amount, path, checks);
        if (amount.isString() && amount.stringValue().matches("[0-9]{4,}%|[2-9][0-9]{2}%|1(0[1-9]|[1-9][0-9])%")) {
            checks.add(FieldError.invalidString(path, amount.stringValue(), "must not be greater than 100%"));
        }
    }
}
