package dev.kopf4j.json;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares trees by their meaning. Jackson's own {@code equals} compares numbers by their Java type, so that 1 is not
 * 1.0.
 *
 * <p>Pure functions.
 */
public final class JsonEquality {
    private JsonEquality() {}

    /**
     * Compares deeply: numbers by value, objects in any order of their keys, and keys with a null value as absent ones,
     * because a Kubernetes patch cannot tell them apart. No value at all equals JSON null.
     */
    public static boolean equal(@Nullable JsonNode a, @Nullable JsonNode b) {
        return compare(a, b, true);
    }

    /**
     * Compares as {@link #equal} does, but a key with a null value differs from an absent key, as in JSON Patch (RFC
     * 6902), and no value at all from JSON null.
     */
    public static boolean same(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        return isNothing(a) ? a.equals(b) : compare(a, b, false);
    }

    /** Returns whether the whole contains the part: its objects may have more keys, also inside; see {@link #equal}. */
    static boolean contains(@Nullable JsonNode whole, @Nullable JsonNode part) {
        if (whole == null || part == null || !whole.isObject() || !part.isObject()) {
            return equal(whole, part);
        }
        for (Map.Entry<String, JsonNode> entry : part.properties()) {
            if (!contains(whole.get(entry.getKey()), entry.getValue())) {
                return false;
            }
        }
        return true;
    }

    static boolean isNothing(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode();
    }

    private static boolean compare(@Nullable JsonNode a, @Nullable JsonNode b, boolean nullIsAbsent) {
        if (a == null || b == null || isNothing(a) || isNothing(b)) {
            return isNothing(a) && isNothing(b);
        }
        if (a.isObject() && b.isObject()) {
            return objects(a, b, nullIsAbsent);
        }
        if (a.isArray() && b.isArray()) {
            return arrays(a, b, nullIsAbsent);
        }
        return (a.isNumber() && b.isNumber()) ? numbers(a, b) : a.equals(b);
    }

    private static boolean objects(JsonNode a, JsonNode b, boolean nullIsAbsent) {
        int shared = 0;
        for (Map.Entry<String, JsonNode> entry : a.properties()) {
            JsonNode other = b.get(entry.getKey());
            if (other == null && !(nullIsAbsent && isNothing(entry.getValue()))) {
                return false;
            }
            if (other != null) {
                shared++;
                if (!compare(entry.getValue(), other, nullIsAbsent)) {
                    return false;
                }
            }
        }
        return shared == b.size() || (nullIsAbsent && restIsNull(a, b));
    }

    private static boolean restIsNull(JsonNode a, JsonNode b) {
        for (Map.Entry<String, JsonNode> entry : b.properties()) {
            if (!isNothing(entry.getValue()) && !a.has(entry.getKey())) {
                return false;
            }
        }
        return true;
    }

    private static boolean arrays(JsonNode a, JsonNode b, boolean nullIsAbsent) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int index = 0; index < a.size(); index++) {
            if (!compare(a.get(index), b.get(index), nullIsAbsent)) {
                return false;
            }
        }
        return true;
    }

    private static boolean numbers(JsonNode a, JsonNode b) {
        if (a.isInt() && b.isInt()) {
            return a.intValue() == b.intValue();
        }
        if (a.isIntegralNumber() && b.isIntegralNumber()) {
            return a.bigIntegerValue().equals(b.bigIntegerValue());
        }
        if (!isFinite(a) || !isFinite(b)) {
            return a.equals(b);
        }
        boolean exact = a.isIntegralNumber() || b.isIntegralNumber();
        return decimal(a, exact).compareTo(decimal(b, exact)) == 0;
    }

    /** An integer of hundreds of digits is no double, but finite. */
    private static boolean isFinite(JsonNode number) {
        return !(number.isDouble() || number.isFloat()) || Double.isFinite(number.doubleValue());
    }

    /**
     * A real number counts with its exact binary value if it is compared with an integer, and with the value of its
     * shortest text if it is compared with another real number.
     */
    private static BigDecimal decimal(JsonNode number, boolean exact) {
        return exact && number.isDouble() ? new BigDecimal(number.doubleValue()) : number.decimalValue();
    }
}
