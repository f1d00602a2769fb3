package dev.kopf4j.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10s}, {@code 1m30s}, {@code 500ms}, {@code PT5M}. Pure. */
public final class DurationText {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|d|h|m|s)");

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Duration parse(String text) {
        String trimmed = text.trim();
        if (trimmed.startsWith("P") || trimmed.startsWith("-P")) {
            return parseIso(trimmed);
        }
        Matcher part = PART.matcher(trimmed);
        Duration sum = Duration.ZERO;
        int position = 0;
        while (position < trimmed.length() && part.find(position) && part.start() == position) {
            sum = sum.plus(Duration.ofNanos(Math.round(Double.parseDouble(part.group(1)) * nanos(part.group(2)))));
            position = part.end();
        }
        if (trimmed.isEmpty() || position < trimmed.length()) {
            throw malformed(text, null);
        }
        return sum;
    }

    /** Writes a duration in the same way: {@code 1m30s}. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.toNanosPart() % 1_000_000 != 0) {
            return duration.toString();
        }
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        return unit(duration.toDays(), "d")
                + unit(duration.toHoursPart(), "h")
                + unit(duration.toMinutesPart(), "m")
                + unit(duration.toSecondsPart(), "s")
                + unit(duration.toMillisPart(), "ms");
    }

    private static String unit(long number, String unit) {
        return number == 0 ? "" : number + unit;
    }

    private static Duration parseIso(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw malformed(text, e);
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

    private static IllegalArgumentException malformed(String text, @org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException(
                "not a duration: '" + text + "'; write for example \"10s\", \"1m30s\", \"500ms\", or \"PT5M\"", cause);
    }
}
