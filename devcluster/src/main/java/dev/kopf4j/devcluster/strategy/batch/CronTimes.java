package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.status.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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

    /** The names of Go's time zones that Java does not give. */
    private static final Map<String, String> MORE_ZONES =
            Map.of("EST", "-05:00", "MST", "-07:00", "HST", "-10:00", "ROC", "Asia/Taipei", "GMT+0", "Z", "GMT-0", "Z");

    private static final String EVERY = "@every ";
    private static final Pattern PART = Pattern.compile("([0-9]++\\.?[0-9]*+|\\.[0-9]++)([^0-9.]*+)");
    private static final Map<String, Double> UNITS =
            Map.of("h", 3_600e9, "m", 60e9, "s", 1e9, "ms", 1e6, "us", 1e3, "\u00b5s", 1e3, "\u03bcs", 1e3, "ns", 1.0);
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
        if (schedule.startsWith(EVERY)) {
            return new CronTimes(Map.of(), interval(schedule), zone);
        }
        String[] texts = DESCRIPTORS.getOrDefault(schedule, schedule).strip().split("\\s+", -1);
        Map<CronField, String> fields = new EnumMap<>(CronField.class);
        for (CronField field : CronField.values()) {
            fields.put(field, texts[fields.size()]);
        }
        return new CronTimes(fields, Duration.ZERO, zone);
    }

    /** The zone of a name that Go knows; empty for other names. */
    public static Optional<ZoneId> zone(String name) {
        String known = MORE_ZONES.get(name);
        boolean available = ZoneId.getAvailableZoneIds().contains(name) && !name.startsWith("SystemV/");
        return known == null && !available
                ? Optional.empty()
                : Optional.of(ZoneId.of(Objects.requireNonNullElse(known, name)));
    }

    /**
     * What is wrong with a schedule that begins with {@code @}; empty for a right one: {@code parseDescriptor} in
     * {@code parser.go}, and Go's {@code time.ParseDuration}.
     */
    static String problemOfDescriptor(String schedule) {
        if (!schedule.startsWith(EVERY)) {
            return DESCRIPTORS.containsKey(schedule) ? "" : "unrecognized descriptor: " + schedule;
        }
        String text = schedule.substring(EVERY.length());
        String problem = problemOfDuration(text);
        return problem.isEmpty()
                ? ""
                : "failed to parse duration " + schedule + ": time: " + problem + FieldError.quote(text);
    }

    private static String problemOfDuration(String text) {
        if (text.matches("[-+]?0")) {
            return "";
        }
        Matcher part = PART.matcher(text);
        int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (at == text.length()) {
            return "invalid duration ";
        }
        for (; at < text.length(); at = part.end()) {
            if (!part.region(at, text.length()).lookingAt()) {
                return "invalid duration ";
            }
            String unit = part.group(2);
            if (!UNITS.containsKey(unit)) {
                return unit.isEmpty()
                        ? "missing unit in duration "
                        : "unknown unit " + FieldError.quote(unit) + " in duration ";
            }
        }
        return nanos(text) > Long.MAX_VALUE ? "invalid duration " : "";
    }

    private static double nanos(String duration) {
        return PART.matcher(duration)
                .results()
                .mapToDouble(part -> Double.parseDouble(part.group(1)) * UNITS.getOrDefault(part.group(2), 0.0))
                .sum();
    }

    private static Duration interval(String schedule) {
        String text = schedule.substring(EVERY.length());
        Duration sum = text.startsWith("-") ? Duration.ZERO : Duration.ofNanos(Math.round(nanos(text)));
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
