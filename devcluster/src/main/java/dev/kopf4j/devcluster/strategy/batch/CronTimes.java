package dev.kopf4j.devcluster.strategy.batch;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The times of a valid schedule in a time zone: {@code Next} in {@code spec.go} and {@code constantdelay.go} of
 * github.com/robfig/cron v3. Days must fit the month's and the week's field, or one of them if neither is a star. Hours
 * that the clocks skip are skipped, hours that they repeat count twice. Immutable.
 */
public final class CronTimes {
    private static final Map<String, String> DESCRIPTORS = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");
    private static final Pattern PART = Pattern.compile("([0-9.]+)(h|ms|us|ns|m|s)");
    private static final int YEARS = 5;
    private final Map<CronField, String> fields;
    private final Duration interval;
    private final ZoneId zone;

    private CronTimes(Map<CronField, String> fields, Duration interval, ZoneId zone) {
        this.fields = fields;
        this.interval = interval;
        this.zone = zone;
    }

    /** The times of a schedule that validation lets pass. */
    public static CronTimes of(String schedule, ZoneId zone) {
        if (schedule.startsWith("@every ")) {
            return new CronTimes(Map.of(), interval(schedule), zone);
        }
        String[] texts = DESCRIPTORS.getOrDefault(schedule, schedule).strip().split("\\s+", -1);
        Map<CronField, String> fields = new EnumMap<>(CronField.class);
        for (CronField field : CronField.values()) {
            fields.put(field, texts[fields.size()]);
        }
        return new CronTimes(fields, Duration.ZERO, zone);
    }

    private static Duration interval(String schedule) {
        Duration sum = Duration.ZERO;
        Matcher parts = PART.matcher(schedule);
        while (parts.find()) {
            double nanos = Double.parseDouble(parts.group(1))
                    * switch (parts.group(2)) {
                        case "h" -> 3_600e9;
                        case "m" -> 60e9;
                        case "s" -> 1e9;
                        case "ms" -> 1e6;
                        case "us" -> 1e3;
                        default -> 1;
                    };
            sum = sum.plusNanos(Math.round(nanos));
        }
        Duration second = Duration.ofSeconds(1);
        return sum.compareTo(second) < 0 ? second : sum.truncatedTo(ChronoUnit.SECONDS);
    }

    /** The first time after another one; empty if there is none within five years. */
    public Optional<Instant> next(Instant after) {
        if (fields.isEmpty()) {
            return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(interval));
        }
        ZonedDateTime time = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        int lastYear = time.getYear() + YEARS;
        while (time.getYear() <= lastYear) {
            ZonedDateTime later = skip(time);
            if (later.equals(time)) {
                return Optional.of(time.toInstant());
            }
            time = later;
        }
        return Optional.empty();
    }

    /** The same time if it fits; otherwise a later one that may fit. */
    private ZonedDateTime skip(ZonedDateTime time) {
        if (!fits(CronField.MONTH, time.getMonthValue())) {
            return time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
        }
        if (!isDay(time)) {
            return time.toLocalDate().plusDays(1).atStartOfDay(zone);
        }
        if (!fits(CronField.HOUR, time.getHour())) {
            return time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
        }
        return fits(CronField.MINUTE, time.getMinute()) ? time : time.plusMinutes(1);
    }

    private boolean isDay(ZonedDateTime time) {
        boolean ofMonth = fits(CronField.DAY_OF_MONTH, time.getDayOfMonth());
        boolean ofWeek = fits(CronField.DAY_OF_WEEK, time.getDayOfWeek().getValue() % 7);
        boolean free = CronField.DAY_OF_MONTH.isFree(text(CronField.DAY_OF_MONTH))
                || CronField.DAY_OF_WEEK.isFree(text(CronField.DAY_OF_WEEK));
        return free ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    private boolean fits(CronField field, int value) {
        return field.fits(text(field), value);
    }

    private String text(CronField field) {
        return fields.getOrDefault(field, "*");
    }
}
