package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people type them: 200ms, 5s, 1m, 2h. Pure. */
final class TimeSyntax {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private TimeSyntax() {}

    /** Reads a time; {@link IllegalArgumentException} if the text is none. */
    static Duration parse(String text) {
        Matcher found = TIME.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 200ms, 5s or 1m");
        }
        long count = Long.parseLong(found.group(1));
        return switch (found.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    static String write(Duration time) {
        return time.toMillis() + "ms";
    }
}
