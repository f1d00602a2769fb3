package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What keys of config maps and secrets may look like. */
final class ConfigKeyValidation {
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /** How many bytes the values may have in all. */
    static final int MAX_SIZE = 1 << 20;

    private ConfigKeyValidation() {}

    static FieldError tooLong(String field) {
        return new FieldError(FieldError.Type.TOO_LONG, "Too long: may not be more than " + MAX_SIZE + " bytes", field);
    }

    static List<FieldError> check(JsonNode data, String field) {
        return data.propertyStream()
                .map(java.util.Map.Entry::getKey)
                .filter(key -> !KEY.matcher(key).matches() || key.equals(".") || key.startsWith(".."))
                .map(key -> FieldError.invalidString(
                        field + "[" + key + "]",
                        key,
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                                + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"))
                .toList();
    }
}
