package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Collects what is wrong with the fields of an object. Confined to one check. */
public final class FieldChecks {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern HOST =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final String HOST_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String HOST_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                    + HOST_PATTERN;
    private static final String WILDCARD_RULE =
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                    + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                    + " '*.example.com', regex used for validation is '\\*\\." + HOST_PATTERN;
    private final List<FieldError> causes = new ArrayList<>();

    public List<FieldError> causes() {
        return causes;
    }

    public void add(FieldError fieldError) {
        causes.add(fieldError);
    }

    /** Adds what is wrong with a value; nothing when the words are empty. */
    public void that(String wrong, String path, String value) {
        if (!wrong.isEmpty()) {
            causes.add(FieldError.invalidString(path, value, wrong));
        }
    }

    /** Refuses a change of a field by its present and former value. */
    public void fixed(JsonNode now, JsonNode before, String path) {
        if (!JsonEquality.same(now, before)) {
            causes.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
        }
    }

    /** Requires a string. */
    public void required(JsonNode parent, String field, String path) {
        JsonNode value = parent.path(field);
        if (value.isMissingNode()
                || value.isNull()
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isArray() && value.isEmpty())) {
            causes.add(FieldError.required(path + "." + field, ""));
        }
    }

    /** Requires a whole number not below a bound, if it is there. */
    public void atLeast(JsonNode parent, String field, String path, long bound) {
        JsonNode value = parent.path(field);
        if (value.isNumber() && value.longValue() < bound) {
            String rule = bound == 1 ? "must be greater than 0" : "must be greater than or equal to " + bound;
            causes.add(FieldError.invalid(path + "." + field, value.asString(), rule));
        }
    }

    /** Requires a port number or a name. */
    public void port(JsonNode value, String path) {
        if (value.isNumber() && (value.longValue() < 1 || value.longValue() > 65535)) {
            causes.add(FieldError.invalid(path, value.asString(), "must be between 1 and 65535, inclusive"));
        } else if (value.isString()) {
            portName(value.stringValue(), path);
        }
    }

    /** Requires the name of a port, if it is there. */
    public void portName(String name, String path) {
        boolean fits = name.length() <= 15
                && name.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?")
                && name.matches(".*[a-z].*")
                && !name.contains("--");
        if (!name.isEmpty() && !fits) {
            causes.add(FieldError.invalidString(
                    path,
                    name,
                    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), at least one letter, and"
                            + " no more than 15 characters"));
        }
    }

    /** Requires one of some words, if it is there. */
    public void oneOf(JsonNode parent, String field, String path, List<String> words) {
        String value = Json.string(parent, field);
        if (!value.isEmpty() && !words.contains(value)) {
            causes.add(FieldError.notSupported(path + "." + field, FieldError.quote(value), words));
        }
    }

    /** Requires a host name, possibly with a wildcard in front, if it is there. */
    public void host(String host, String path) {
        String plain = host.startsWith("*.") ? host.substring(2) : host;
        if (host.matches("[0-9]+(\\.[0-9]+){3}")) {
            causes.add(FieldError.invalidString(path, host, "must be a DNS name, not an IP address"));
        } else if (!host.isEmpty()
                && (plain.length() > 253 || !HOST.matcher(plain).matches())) {
            String rule = host.startsWith("*.") ? WILDCARD_RULE : HOST_RULE;
            causes.add(FieldError.invalidString(path, host, rule));
        }
    }

    /** Requires a DNS label. */
    public void label(JsonNode parent, String field, String path) {
        String value = Json.string(parent, field);
        if (value.isEmpty()) {
            causes.add(FieldError.required(path + "." + field, ""));
        } else if (value.length() > 63 || !LABEL.matcher(value).matches()) {
            causes.add(FieldError.invalidString(
                    path + "." + field,
                    value,
                    value.length() > 63
                            ? "must be no more than 63 characters"
                            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                                    + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
                                    + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
        }
    }
}
