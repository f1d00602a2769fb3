package dev.kopf4j.devcluster.selector;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What one label must be; Requirement.Matches of {@code pkg/labels/selector.go} of apimachinery, v1.33. Immutable.
 *
 * @param values what the label is compared with; one number for GREATER and LESS
 */
record LabelRequirement(String key, Operator operator, Set<String> values) {
    /** How a label is compared. */
    enum Operator {
        /** One of the values. */
        IN,
        /** None of the values, or absent. */
        NOT_IN,
        /** Present. */
        EXISTS,
        /** Absent. */
        ABSENT,
        /** A greater number. */
        GREATER,
        /** A smaller number. */
        LESS
    }

    boolean holds(JsonNode labels) {
        JsonNode label = labels.path(key);
        boolean present = label.isString();
        return switch (operator) {
            case IN -> present && values.contains(label.stringValue());
            case NOT_IN -> !present || !values.contains(label.stringValue());
            case EXISTS -> present;
            case ABSENT -> !present;
            case GREATER -> present && compare(label.stringValue()) > 0;
            case LESS -> present && compare(label.stringValue()) < 0;
        };
    }

    private int compare(String value) {
        try {
            return Long.compare(Long.parseLong(value), Long.parseLong(onlyValue()));
        } catch (NumberFormatException e) {
            return 0; // a label that is no number is neither greater nor less, as in Kubernetes
        }
    }

    private String onlyValue() {
        return values.iterator().next();
    }

    /** The requirement in the form of query parameters. */
    String toText() {
        String all = "(" + String.join(",", values) + ")";
        return switch (operator) {
            case EXISTS -> key;
            case ABSENT -> "!" + key;
            case NOT_IN -> key + " notin " + all;
            case IN -> values.size() == 1 ? key + "=" + onlyValue() : key + " in " + all;
            case GREATER -> key + ">" + onlyValue();
            case LESS -> key + "<" + onlyValue();
        };
    }
}
