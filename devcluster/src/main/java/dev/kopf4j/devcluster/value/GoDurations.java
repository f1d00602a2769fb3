package dev.kopf4j.devcluster.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in the form of Go ({@code 1h30m}), and in words ({@code 5 days}). */
public final class GoDurations {
    private static final Pattern OF_GO = Pattern.compile("[+-]?(0|((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
    private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern IN_WORDS = Pattern.compile("\\d+\\s*([A-Za-zµ]+)");
    private static final List<String> EXACT = List.of("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk");
    private static final List<String> BEGINNINGS =
            List.of("nano", "micro", "milli", "sec", "min", "hour", "day", "week");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDurations() {}

    /** Whether a text has the schema format {@code duration}. */
    public static boolean fit(String text) {
        return OF_GO.matcher(text).matches()
                || IN_WORDS.matcher(text)
                        .results()
                        .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                        .anyMatch(unit ->
                                EXACT.contains(unit) || BEGINNINGS.stream().anyMatch(unit::startsWith));
    }

    /** A duration in the form of Go. */
    public static Optional<Duration> parse(String text) {
        if (!OF_GO.matcher(text).matches()) {
            return Optional.empty();
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            nanos = nanos.add(new BigDecimal(parts.group(1))
                    .multiply(BigDecimal.valueOf(NANOS.getOrDefault(parts.group(2), 0L))));
        }
        Duration duration = Duration.ofNanos(nanos.longValue());
        return Optional.of(text.startsWith("-") ? duration.negated() : duration);
    }
}
