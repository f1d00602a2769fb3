package dev.kopf4j.text;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Writes times as Kopf does, always with microseconds and an offset. Older versions of Kopf wrote UTC times without an
 * offset, and Kopf 1.37 and later fail on those; so reading accepts both. Pure.
 */
public final class KubernetesTimestamps {
    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx", Locale.ROOT);

    private static final DateTimeFormatter WRITTEN_IN_SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);

    private static final DateTimeFormatter READ = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendPattern("['T'][' ']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[XXXXX][XXXX][X]")
            .toFormatter(Locale.ROOT);

    private KubernetesTimestamps() {}

    /** Writes a time with microseconds, in UTC. */
    public static String format(Instant time) {
        return WRITTEN.format(time.atOffset(ZoneOffset.UTC));
    }

    /** Writes a time in UTC, without a fraction if there is none, as Python's {@code isoformat()} does. */
    public static String formatShort(Instant time) {
        boolean whole = time.truncatedTo(ChronoUnit.MICROS).equals(time.truncatedTo(ChronoUnit.SECONDS));
        return whole ? WRITTEN_IN_SECONDS.format(time.atOffset(ZoneOffset.UTC)) : format(time);
    }

    /** Reads a time; one without an offset is in UTC. Throws {@link java.time.DateTimeException} if it is no time. */
    public static Instant parse(String text) {
        TemporalAccessor time = READ.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) time).toInstant(ZoneOffset.UTC);
    }
}
