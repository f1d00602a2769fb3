package dev.kopf4j.devcluster.printing;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Ages as kubectl shows them: {@code pkg/util/duration/duration.go} of apimachinery, v1.33. */
public final class HumanDuration {
    private HumanDuration() {}

    /** The age of a time, such as 5s, 3m12s, 4h, 2d3h; {@code <unknown>} or {@code <invalid>} for other texts. */
    public static String of(String time, Instant now) {
        if (time.isEmpty()) {
            return "<unknown>";
        }
        try {
            return words(Duration.between(Instant.parse(time), now));
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }

    /** A duration as text. */
    public static String words(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        long years = days / 365;
        return years < 8 ? two(years, "y", days % 365, "d") : years + "y";
    }

    private static String two(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
    }
}
