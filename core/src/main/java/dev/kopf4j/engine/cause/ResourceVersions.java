package dev.kopf4j.engine.cause;

import tools.jackson.databind.node.ObjectNode;

/**
 * Compares resource versions: as integers where they are integers, by equality elsewhere. Pure.
 *
 * @see <a href="https://kep.k8s.io/5504">KEP-5504: comparable resource versions</a>
 */
public final class ResourceVersions {
    private static final int DIGITS_MAX = 18;

    private ResourceVersions() {}

    /** The version of an object; empty text if it has none. */
    public static String of(ObjectNode body) {
        return body.path("metadata").path("resourceVersion").asString("");
    }

    /** The version of an object as a number; -1 if it is none. */
    public static long number(ObjectNode body) {
        return number(of(body));
    }

    /** The version as a number; -1 if it is none. */
    public static long number(String version) {
        return isNumber(version) ? Long.parseLong(version) : -1;
    }

    /** True if the version is the expected one or, as far as can be told, a newer one. */
    public static boolean isAtLeast(String version, String expected) {
        if (areNumbers(version, expected)) {
            return Long.parseLong(version) >= Long.parseLong(expected);
        }
        return version.equals(expected);
    }

    /** True if the version is older than the other one, as far as can be told. */
    public static boolean isOlder(String version, String than) {
        return areNumbers(version, than) && !isAtLeast(version, than);
    }

    /** True if their order can be told. */
    public static boolean areNumbers(String one, String other) {
        return isNumber(one) && isNumber(other);
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= DIGITS_MAX;
    }
}
