package dev.kopf4j.devcluster.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes times and bytes in the forms of the API. */
public final class ApiTimes {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

    /** As Go's {@code time.Parse} reads it: an hour may have one digit, a fraction may begin with a comma. */
    private static final Pattern FORM = Pattern.compile(
            "(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d?):(\\d\\d):(\\d\\d)" + "(?:[.,](\\d+))?(?:Z|([+-])(\\d\\d):(\\d\\d))");

    private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    /** The last moment that the form has room for. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private ApiTimes() {}

    /**
     * The moment so many seconds after another one, which may be negative: the first or the last one that can be
     * written, if it would be beyond. Seconds of the API have 64 bits, and some people write the most for never.
     */
    public static Instant later(Instant begin, long seconds) {
        if (seconds > LAST.getEpochSecond() - begin.getEpochSecond()) {
            return LAST;
        }
        return seconds < ZERO.getEpochSecond() - begin.getEpochSecond() ? ZERO : begin.plusSeconds(seconds);
    }

    public static String seconds(String text) {
        return parse(text, "2006-01-02T15:04:05Z07:00", false)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    public static String micros(String text) {
        return parse(text, "2006-01-02T15:04:05.000000Z07:00", true)
                .atOffset(ZoneOffset.UTC)
                .format(MICROS);
    }

    /** True if it is the moment that Go takes for no time, and writes as {@code null}. */
    public static boolean isZero(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                && matcher.group(1).equals("0001")
                && read(text).equals(Optional.of(ZERO));
    }

    /** A time with or without a zone, which is UTC then; empty if it is none. */
    public static Optional<Instant> read(String text) {
        Matcher matcher = FORM.matcher(text.matches(".*(Z|[+-]\\d\\d:\\d\\d)") ? text : text + "Z");
        try {
            return matcher.matches() ? Optional.of(instant(matcher)) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty(); // such as the 31st of a short month
        }
    }

    private static Instant parse(String text, String layout, boolean micro) {
        Matcher matcher = FORM.matcher(text);
        boolean six = matcher.matches()
                && matcher.group(7) != null
                && matcher.group(7).length() == 6;
        if (!matcher.matches() || (micro && !six)) {
            throw unreadable(text, layout);
        }
        try {
            return instant(matcher);
        } catch (DateTimeException e) {
            throw unreadable(text, layout);
        }
    }

    private static Instant instant(Matcher matcher) {
        String fraction = matcher.group(7) == null ? "" : matcher.group(7);
        LocalDateTime local = LocalDateTime.of(
                number(matcher, 1),
                number(matcher, 2),
                number(matcher, 3),
                number(matcher, 4),
                number(matcher, 5),
                number(matcher, 6),
                Integer.parseInt((fraction + "0".repeat(9)).substring(0, 9)));
        return local.toInstant(ZoneOffset.UTC).minusSeconds(offsetSeconds(matcher));
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static int offsetSeconds(Matcher matcher) {
        if (matcher.group(8) == null) {
            return 0;
        }
        int hours = number(matcher, 9);
        int minutes = number(matcher, 10);
        if (hours > 24 || minutes > 60) {
            throw new DateTimeException("an offset is up to 24 hours");
        }
        int seconds = (hours * 60 + minutes) * 60;
        return matcher.group(8).equals("-") ? -seconds : seconds;
    }

    private static DecodingException unreadable(String text, String layout) {
        return new DecodingException(
                "parsing time \"" + text + "\" as \"" + layout + "\": cannot parse \"" + text + "\"");
    }

    /** Line breaks are passed over; the answer is canonical. */
    public static String base64(String text) {
        try {
            String plain = text.replace("\n", "").replace("\r", "");
            if (plain.length() % 4 != 0) {
                throw new IllegalArgumentException("padding is missing");
            }
            return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(plain));
        } catch (IllegalArgumentException e) {
            throw new DecodingException("illegal base64 data at input byte 0");
        }
    }
}
