package dev.kopf4j.devcluster.controller.cronjob;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.batch.CronTimes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * When a cron job is due: {@code mostRecentScheduleTime} and {@code nextScheduleTime} in
 * {@code pkg/controller/cronjob/utils.go}, v1.33. Of several times that were missed, only the last one counts. Pure.
 */
record CronJobTimes(JsonNode cronJob, Instant now) {
    private ZoneId zone() {
        String name = Json.string(cronJob, "spec", "timeZone");
        try {
            return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC; // validation knows the same zones: only an older object can have another one
        }
    }

    private CronTimes schedule() {
        return CronTimes.of(Json.string(cronJob, "spec", "schedule"), zone());
    }

    private Instant earliest() {
        String last = Json.string(cronJob, "status", "lastScheduleTime");
        return Instant.parse(last.isEmpty() ? Json.string(cronJob, "metadata", "creationTimestamp") : last);
    }

    /** The last time that has passed since the last job, and that is not too long ago. */
    Optional<Instant> due() {
        JsonNode deadline = cronJob.path("spec").path("startingDeadlineSeconds");
        Instant earliest = earliest();
        if (deadline.isNumber()) {
            Instant limit = now.minusSeconds(deadline.longValue());
            earliest = limit.isAfter(earliest) ? limit : earliest;
        }
        return latest(schedule(), earliest);
    }

    private Optional<Instant> latest(CronTimes schedule, Instant earliest) {
        Optional<Instant> first = schedule.next(earliest).filter(time -> !time.isAfter(now));
        if (first.isEmpty()) {
            return first;
        }
        Instant found = first.get();
        Optional<Instant> second = schedule.next(found);
        if (second.isPresent() && !second.get().isAfter(now)) {
            found = closer(found, Duration.between(found, second.get()));
        }
        for (Optional<Instant> next = schedule.next(found);
                next.isPresent() && !next.get().isAfter(now);
                next = schedule.next(found)) {
            found = next.get();
        }
        return Optional.of(found);
    }

    /** Where to look for the last time, so that a cluster that was away for long does not count all. */
    private Instant closer(Instant first, Duration between) {
        long missed = Duration.between(first, now).dividedBy(between) + 1;
        return missed <= 2 ? first : first.plus(between.multipliedBy(missed - 2));
    }

    /** The next time after now. */
    Optional<Instant> next() {
        return schedule().next(now);
    }

    /** A time as an annotation of the job tells it. */
    String shown(Instant time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(zone()).toOffsetDateTime());
    }
}
