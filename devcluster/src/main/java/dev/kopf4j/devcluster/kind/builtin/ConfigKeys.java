package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What keys of config maps and secrets may look like. */
final class ConfigKeys {
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    private ConfigKeys() {}

    static List<Cause> check(JsonNode data, String field) {
        return data.propertyStream()
                .map(java.util.Map.Entry::getKey)
                .filter(key -> !KEY.matcher(key).matches() || key.equals(".") || key.startsWith(".."))
                .map(key -> Cause.invalidString(
                        field + "[" + key + "]",
                        key,
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                                + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"))
                .toList();
    }
}
