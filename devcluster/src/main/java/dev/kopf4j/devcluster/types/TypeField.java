package dev.kopf4j.devcluster.types;

import java.util.List;

/**
 * One field of a type. Immutable.
 *
 * @param flags what {@link BuiltinTypes} calls so
 * @param listKeys the keys that identify list elements for apply; none for lists that are one value
 * @param number the field number in protobuf, with those of the messages above in front; empty if there is none
 */
public record TypeField(String name, FieldType fieldType, String flags, List<String> listKeys, String number) {
    /** Reads {@code name:form flags}. */
    static TypeField parse(String text) {
        int colon = text.indexOf(':');
        int end = formEnd(text, colon + 1);
        int equals = text.indexOf('=', end);
        String flags = text.substring(end, equals < 0 ? text.length() : equals);
        String keys = after(flags, '@');
        return new TypeField(
                text.substring(0, colon),
                form(text.substring(colon + 1, end)),
                flags,
                keys.isEmpty() ? List.of() : List.of(keys.split(",", -1)),
                equals < 0 ? "" : text.substring(equals + 1));
    }

    /** Whether absent differs from empty. */
    public boolean pointer() {
        return flags.startsWith("*");
    }

    /** Whether it is written even if empty. */
    public boolean always() {
        return flags.indexOf('!') >= 0;
    }

    /** Whether a strategic merge patch merges the list. */
    public boolean merges() {
        return flags.indexOf('~') >= 0;
    }

    /** The key that a strategic merge patch merges by; empty for lists of scalars. */
    public String mergeKey() {
        return after(flags, '~');
    }

    /** Whether a strategic merge patch may say which keys stay. */
    public boolean retainsKeys() {
        return flags.indexOf('&') >= 0;
    }

    /** Whether a list of scalars is a set for apply. */
    public boolean set() {
        return flags.indexOf('@') >= 0 && listKeys.isEmpty();
    }

    /** Whether apply takes a map as one value. */
    public boolean atomicMap() {
        return flags.indexOf('^') >= 0;
    }

    private static int formEnd(String text, int start) {
        int end = start;
        while (text.charAt(end) == '[' || text.charAt(end) == '{') {
            end++;
        }
        if (text.charAt(end) != '#') {
            return end + 1;
        }
        end++;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        return end;
    }

    private static FieldType form(String text) {
        return switch (text.charAt(0)) {
            case '[' -> new FieldType.ListOf(form(text.substring(1)));
            case '{' -> new FieldType.MapOf(form(text.substring(1)));
            case '#' -> new FieldType.Struct(text.substring(1));
            default -> new FieldType.Scalar(FieldType.ScalarType.of(text.charAt(0)));
        };
    }

    private static String after(String flags, char mark) {
        int start = flags.indexOf(mark);
        if (start < 0) {
            return "";
        }
        int end = start + 1;
        while (end < flags.length() && (Character.isLetterOrDigit(flags.charAt(end)) || flags.charAt(end) == ',')) {
            end++;
        }
        return flags.substring(start + 1, end);
    }
}
