package dev.kopf4j.engine.registry;

import dev.kopf4j.HandlerDefinitionException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as people write them: {@code 10s}, {@code 1m30s}, {@code 500ms}, {@code PT5M}. Pure. */
public final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|d|h|m|s)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param what what it is for, for the message
     * @throws HandlerDefinitionException if it is none
     */
    public static Duration parse(String text, String what) {
        String trimmed = text.trim();
        if (trimmed.startsWith("P") || trimmed.startsWith("-P")) {
            return parseIso(trimmed, what);
        }
        Matcher part = PART.matcher(trimmed);
        Duration sum = Duration.ZERO;
        int position = 0;
        while (position < trimmed.length() && part.find(position) && part.start() == position) {
            sum = sum.plus(Duration.ofNanos(Math.round(Double.parseDouble(part.group(1)) * nanos(part.group(2)))));
            position = part.end();
        }
        if (trimmed.isEmpty() || position < trimmed.length()) {
            throw malformed(text, what);
        }
        return sum;
    }

    private static Duration parseIso(String text, String what) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw malformed(text, what);
        }
    }

    private static double nanos(String unit) {
        return switch (unit) {
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> 86400e9;
        };
    }

    private static HandlerDefinitionException malformed(String text, String what) {
        return new HandlerDefinitionException(what + " is not a duration: '" + text
                + "'; write for example \"10s\", \"1m30s\", \"500ms\", or \"PT5M\"");
    }
}
