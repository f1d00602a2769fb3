package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Validates ports by number or name: {@code ValidatePortNumOrName} in {@code pkg/apis/core/validation/validation.go},
 * and {@code IsValidPortName} in {@code pkg/util/validation/validation.go} of apimachinery, v1.33. Pure.
 */
public final class PortValidation {
    private static final int MAX = 15;
    private static final Pattern CHARACTERS = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z]");

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
        if (name.isEmpty()) {
            return;
        }
        refuse(name.length() > MAX, path, name, "must be no more than " + MAX + " characters", checks);
        refuse(
                !CHARACTERS.matcher(name).matches(),
                path,
                name,
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                checks);
        refuse(!LETTER.matcher(name).find(), path, name, "must contain at least one letter (a-z)", checks);
        refuse(name.contains("--"), path, name, "must not contain consecutive hyphens", checks);
        boolean hyphen = name.startsWith("-") || name.endsWith("-");
        refuse(hyphen, path, name, "must not begin or end with a hyphen", checks);
    }

    private static void refuse(boolean wrong, String path, String name, String rule, FieldChecks checks) {
        if (wrong) {
            checks.add(FieldError.invalidString(path, name, rule));
        }
    }
}
