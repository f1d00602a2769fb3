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
    private static final Pattern IN_WORDS = Pattern.compile("(\\d+)\\s*([A-Za-zµ]+)");
    private static final BigDecimal TOO_LARGE =
            BigDecimal.valueOf(Long.MAX_VALUE).add(BigDecimal.ONE);
    private static final long DAY = 86_400_000_000_000L;

    /** Units in words, the last of which may have any end. */
    private static final List<Map.Entry<Long, List<String>>> WORDS = List.of(
            Map.entry(1L, List.of("ns", "nano")),
            Map.entry(1_000L, List.of("us", "µs", "micro")),
            Map.entry(1_000_000L, List.of("ms", "milli")),
            Map.entry(1_000_000_000L, List.of("s", "sec")),
            Map.entry(60_000_000_000L, List.of("m", "min")),
            Map.entry(3_600_000_000_000L, List.of("h", "hr", "hour")),
            Map.entry(DAY, List.of("d", "day")),
            Map.entry(7 * DAY, List.of("w", "wk", "week")));

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
        return parse(text).isPresent();
    }

    /** A duration in the form of Go, or in words. */
    public static Optional<Duration> parse(String text) {
        BigDecimal nanos = OF_GO.matcher(text).matches() ? ofGo(text) : TOO_LARGE;
        return nanos.abs().compareTo(TOO_LARGE) < 0 ? Optional.of(Duration.ofNanos(nanos.longValue())) : inWords(text);
    }

    private static BigDecimal ofGo(String text) {
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            nanos = nanos.add(new BigDecimal(parts.group(1))
                    .multiply(BigDecimal.valueOf(NANOS.getOrDefault(parts.group(2), 0L))));
        }
        return text.startsWith("-") ? nanos.negate() : nanos;
    }

    /** The sum of all that has a unit; as in Go, a number of more than 64 bits wraps around. */
    private static Optional<Duration> inWords(String text) {
        long nanos = 0;
        boolean any = false;
        Matcher parts = IN_WORDS.matcher(text);
        while (parts.find()) {
            String unit = parts.group(2).toLowerCase(Locale.ROOT);
            if (new BigDecimal(parts.group(1)).compareTo(TOO_LARGE) >= 0) {
                return Optional.empty();
            }
            for (Map.Entry<Long, List<String>> each : WORDS) {
                List<String> names = each.getValue();
                if (names.contains(unit) || unit.startsWith(names.getLast())) {
                    any = true;
                    nanos += Long.parseLong(parts.group(1)) * each.getKey();
                }
            }
        }
        return any ? Optional.of(Duration.ofNanos(nanos)) : Optional.empty();
    }
}
