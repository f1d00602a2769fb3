package dev.kopf4j.devcluster.controller.action;

import tools.jackson.databind.JsonNode;

/**
 * Numbers that may be given as a percentage: {@code GetScaledValueFromIntOrPercent} in
 * {@code pkg/util/intstr/intstr.go} of apimachinery, v1.33. Pure.
 */
public final class IntOrPercent {
    private IntOrPercent() {}

    /** The number, a percentage of a total rounded up; 0 if nothing is given. */
    public static long roundedUp(JsonNode value, long total) {
        return isPercent(value) ? Math.ceilDiv(percent(value) * total, 100L) : value.longValue(0);
    }

    /** The number, a percentage of a total rounded down; 0 if nothing is given. */
    public static long roundedDown(JsonNode value, long total) {
        return isPercent(value) ? Math.floorDiv(percent(value) * total, 100L) : value.longValue(0);
    }

    private static boolean isPercent(JsonNode value) {
        return value.isString() && value.stringValue().matches("[0-9]{1,9}%");
    }

    private static long percent(JsonNode value) {
        String text = value.stringValue();
        return Long.parseLong(text.substring(0, text.length() - 1));
    }
}
