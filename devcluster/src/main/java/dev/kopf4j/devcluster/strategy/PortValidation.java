package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.DnsNames;
import tools.jackson.databind.JsonNode;

/**
 * Validates ports by number or name: {@code ValidatePortNumOrName} in {@code pkg/apis/core/validation/validation.go},
 * v1.33. Pure.
 */
public final class PortValidation {
    private PortValidation() {}

    /** Requires that a value, if present, is the number or name of a port. */
    public static void check(JsonNode value, String path, FieldChecks checks) {
        if (value.isNumber() && (value.longValue() < 1 || value.longValue() > 65535)) {
            checks.add(FieldError.invalid(path, value.asString(), "must be between 1 and 65535, inclusive"));
        } else if (value.isString()) {
            checkName(value.stringValue(), path, checks);
        }
    }

    /** Requires that a name is that of a port. */
    public static void checkName(String name, String path, FieldChecks checks) {
        boolean right = name.length() <= 15
                && DnsNames.LABEL.matcher(name).matches()
                && name.matches(".*[a-z].*")
                && !name.contains("--");
        if (!name.isEmpty() && !right) {
            checks.add(FieldError.invalidString(
                    path,
                    name,
                    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), at least one letter, and"
                            + " no more than 15 characters"));
        }
    }
}
