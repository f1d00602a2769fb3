package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Collects the errors in the fields of an object. Used by one validation. */
public final class FieldChecks {
    private final List<FieldError> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** All errors so far, in the order in which they were found. */
    public List<FieldError> errors() {
        return errors;
    }

    /** The warnings so far, which clients get with the errors. */
    public List<String> warnings() {
        return warnings;
    }

    /** Adds a warning. */
    public void warn(String warning) {
        warnings.add(warning);
    }

    /** Adds an error. */
    public void add(FieldError error) {
        errors.add(error);
    }

    /** Adds errors. */
    public void addAll(List<FieldError> found) {
        errors.addAll(found);
    }

    /** Adds an error about a text, unless the problem is empty. */
    public void problem(String problem, String path, String value) {
        if (!problem.isEmpty()) {
            errors.add(FieldError.invalidString(path, value, problem));
        }
    }

    /** Refuses a change of a field, by its present and its former value. */
    public void immutable(JsonNode now, JsonNode before, String path) {
        if (!JsonEquality.same(now, before)) {
            errors.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
        }
    }

    /** Requires a value that is not empty. */
    public void required(JsonNode parent, String field, String path) {
        JsonNode value = parent.path(field);
        if (value.isMissingNode()
                || value.isNull()
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isArray() && value.isEmpty())) {
            errors.add(FieldError.required(path + "." + field, ""));
        }
    }

    /** Requires that a number, if present, is not below a bound. */
    public void atLeast(JsonNode parent, String field, String path, long bound) {
        JsonNode value = parent.path(field);
        if (value.isNumber() && value.longValue() < bound) {
            String rule = bound == 1 ? "must be greater than 0" : "must be greater than or equal to " + bound;
            errors.add(FieldError.invalid(path + "." + field, value.asString(), rule));
        }
    }

    /** Requires that a text, if present, is one of these words. */
    public void oneOf(JsonNode parent, String field, String path, List<String> words) {
        String value = Json.string(parent, field);
        if (!value.isEmpty() && !words.contains(value)) {
            errors.add(FieldError.notSupported(path + "." + field, FieldError.quote(value), words));
        }
    }
}
