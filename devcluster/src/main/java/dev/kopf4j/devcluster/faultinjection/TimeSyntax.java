package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people type them: 200ms, 5s, 1m, 2h. Pure. */
final class TimeSyntax {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    /** Longer than any cluster of this kind runs, and short enough to reckon with in nanoseconds. */
    private static final Duration MOST = Duration.ofDays(100);

    private TimeSyntax() {}

    /** Reads a time; {@link IllegalArgumentException} if the text is none, or one above 100 days. */
    static Duration parse(String text) {
        Matcher found = TIME.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 200ms, 5s or 1m");
        }
        long count = Long.parseLong(found.group(1));
        Duration time = switch (found.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
        if (time.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is more than 100 days, " + MOST.toHours() + "h");
        }
        return time;
    }

    static String write(Duration time) {
        return time.toMillis() + "ms";
    }
}
