package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Validates the keys and size of config maps and secrets: {@code IsConfigMapKey} in apimachinery's
 * {@code pkg/util/validation/validation.go}, and {@code MaxSecretSize} in {@code pkg/apis/core/types.go}, v1.33. Pure.
 */
final class ConfigKeyValidation {
    /** The limit of all values together, in bytes. */
    static final int MAX_SIZE = 1 << 20;

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");
    private static final String RULE =
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                    + " 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

    private ConfigKeyValidation() {}

    /** Reports wrong keys of a map. */
    static void keys(JsonNode data, String field, FieldChecks checks) {
        for (String key : data.propertyNames()) {
            boolean right = KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..");
            checks.problem(right ? "" : RULE, field + "[" + key + "]", key);
        }
    }

    /** Reports a size beyond the limit. */
    static void size(long bytes, String field, FieldChecks checks) {
        if (bytes > MAX_SIZE) {
            checks.add(new FieldError(
                    FieldError.Type.TOO_LONG, "Too long: may not be more than " + MAX_SIZE + " bytes", field));
        }
    }

    /** The approximate size of Base64 values when decoded. */
    static long decodedSize(JsonNode data) {
        return data.valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
    }
}
