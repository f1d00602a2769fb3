package dev.kopf4j.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10s}, {@code 1m30s}, {@code 500ms}, {@code PT5M}. Pure. */
public final class DurationText {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|d|h|m|s)");

    /** What clocks can count. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private static final BigDecimal NANOS_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none, or longer than 292 years
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
            BigDecimal nanos =
                    new BigDecimal(part.group(1)).multiply(nanos(part.group(2))).setScale(0, RoundingMode.HALF_UP);
            if (nanos.compareTo(NANOS_MAX) > 0) {
                throw tooLong(text);
            }
            sum = sum.plusNanos(nanos.longValueExact());
            position = part.end();
        }
        if (trimmed.isEmpty() || position < trimmed.length()) {
            throw malformed(text, null);
        }
        return fitting(text, sum);
    }

    private static Duration fitting(String text, Duration duration) {
        if (duration.compareTo(LONGEST) > 0 || duration.compareTo(LONGEST.negated()) < 0) {
            throw tooLong(text);
        }
        return duration;
    }

    /**
     * Writes a duration in the same way: {@code 1m30s}; one with parts of a millisecond, or below zero, as ISO does.
     */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.isNegative() || duration.toNanosPart() % 1_000_000 != 0) {
            return duration.toString();
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
            return fitting(text, Duration.parse(text));
        } catch (DateTimeParseException e) {
            throw malformed(text, e);
        }
    }

    private static BigDecimal nanos(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 86_400_000_000_000L;
                });
    }

    private static IllegalArgumentException tooLong(String text) {
        return new IllegalArgumentException("the duration '" + text + "' is longer than 292 years");
    }

    private static IllegalArgumentException malformed(String text, @org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException(
                "not a duration: '" + text + "'; write for example \"10s\", \"1m30s\", \"500ms\", or \"PT5M\"", cause);
    }
}
