package dev.kopf4j.devcluster.controller.cronjob;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.batch.CronTimes;
import dev.kopf4j.devcluster.value.ApiTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts the jobs of cron jobs at their times: {@code syncCronJob} in
 * {@code pkg/controller/cronjob/cronjob_controllerv2.go}, v1.33. Schedules without a time zone are in UTC.
 */
public final class CronJobController implements WorkloadController {
    private static final WorkloadKind KIND = WorkloadKind.CRON_JOB;
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public CronJobController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode cronJob = object.tree();
        ObjectNode status = Json.child(cronJob, "status");
        JsonNode spec = cronJob.path("spec");
        Map<String, Child> jobs = new LinkedHashMap<>();
        actions.owned(WorkloadKind.JOB, object).forEach(job -> jobs.put(job.uid(), new Child(job, job.tree())));
        updateActive(status, jobs);
        beyondHistory(spec, jobs).forEach(job -> actions.delete(WorkloadKind.JOB, job));
        if (!spec.path("suspend").booleanValue(false)) {
            CronJobTimes times = new CronJobTimes(cronJob, actions.instant());
            times.due().filter(time -> mayStart(spec, status)).ifPresent(time -> {
                replaceActive(spec, status, jobs);
                start(object, cronJob, status, times, time);
            });
            times.next()
                    .ifPresentOrElse(time -> actions.syncAt(KIND, object, time), () -> tellThatItIsNever(object, spec));
        }
        if (status.path("active").isEmpty()) {
            status.remove("active");
        }
        actions.replace(KIND, object, cronJob);
    }

    private void tellThatItIsNever(StoredObject object, JsonNode spec) {
        String message = "invalid schedule: " + Json.string(spec, "schedule") + " : it is no time of any year";
        actions.warn(KIND, object, "InvalidSchedule", message, "cronjob-controller");
    }

    private static boolean mayStart(JsonNode spec, JsonNode status) {
        return !Json.string(spec, "concurrencyPolicy").equals("Forbid")
                || status.path("active").isEmpty();
    }

    private void replaceActive(JsonNode spec, ObjectNode status, Map<String, Child> jobs) {
        if (Json.string(spec, "concurrencyPolicy").equals("Replace")) {
            for (JsonNode reference : status.path("active")) {
                Child job = jobs.get(Json.string(reference, "uid"));
                if (job != null) {
                    actions.delete(WorkloadKind.JOB, job.object());
                }
            }
            status.remove("active");
        }
    }

    private void start(StoredObject object, ObjectNode cronJob, ObjectNode status, CronJobTimes times, Instant time) {
        String name = object.name() + "-" + time.getEpochSecond() / 60;
        ObjectNode job = Json.object();
        ObjectNode metadata = job.putObject("metadata").put("name", name);
        JsonNode template = cronJob.path("spec").path("jobTemplate");
        JsonNode labels = template.path("metadata").path("labels");
        if (labels.isObject()) {
            metadata.set("labels", labels.deepCopy());
        }
        JsonNode annotations = template.path("metadata").path("annotations");
        metadata.set("annotations", annotations.isObject() ? annotations.deepCopy() : Json.object());
        Json.child(metadata, "annotations").put("batch.kubernetes.io/cronjob-scheduled-timestamp", times.shown(time));
        job.set("spec", template.path("spec").deepCopy());
        actions.create(WorkloadKind.JOB, object, KIND, job);
        Optional<StoredObject> made = actions.find(WorkloadKind.JOB, object.namespace(), name)
                .filter(present -> present.owners().contains(object.uid()));
        made.ifPresent(present -> started(status, present, time));
    }

    /** A job of a cron job. */
    private record Child(StoredObject object, JsonNode tree) {
        boolean is(String condition) {
            return StatusConditions.isTrue(tree.path("status"), condition);
        }

        boolean hasFinished() {
            return is("Complete") || is("Failed");
        }
    }

    /**
     * Takes jobs off the active ones that have finished or are gone, and notes the last success: {@code syncCronJob} in
     * {@code pkg/controller/cronjob/cronjob_controllerv2.go}, v1.33.
     */
    private static void updateActive(ObjectNode status, Map<String, Child> jobs) {
        ArrayNode active = Json.list(status, "active");
        active.removeIf(reference -> {
            Child job = jobs.get(Json.string(reference, "uid"));
            return job == null || job.hasFinished();
        });
        jobs.values().stream()
                .filter(job -> job.is("Complete"))
                .map(job -> Json.string(job.tree(), "status", "completionTime"))
                .filter(time -> !time.isEmpty())
                .max(Comparator.naturalOrder())
                .filter(time -> Json.string(status, "lastSuccessfulTime").compareTo(time) < 0)
                .ifPresent(time -> status.put("lastSuccessfulTime", time));
    }

    /** Notes that a job was started for a time. */
    private static void started(ObjectNode status, StoredObject job, Instant time) {
        Json.list(status, "active")
                .addObject()
                .put("kind", WorkloadKind.JOB.kind())
                .put("namespace", job.namespace())
                .put("name", job.name())
                .put("uid", job.uid())
                .put("apiVersion", WorkloadKind.JOB.apiVersion())
                .put("resourceVersion", String.valueOf(job.version()));
        status.put("lastScheduleTime", time.toString());
    }

    /** The oldest of the jobs that have finished, as far as they exceed the limits of the history. */
    private static List<StoredObject> beyondHistory(JsonNode spec, Map<String, Child> jobs) {
        return Stream.of(
                        tooMany(spec.path("successfulJobsHistoryLimit"), jobs, "Complete"),
                        tooMany(spec.path("failedJobsHistoryLimit"), jobs, "Failed"))
                .flatMap(each -> each)
                .toList();
    }

    private static Stream<StoredObject> tooMany(JsonNode limit, Map<String, Child> jobs, String condition) {
        List<Child> ended = jobs.values().stream()
                .filter(job -> job.is(condition) && !job.object().deleting())
                .sorted(Comparator.<Child, String>comparing(job -> Json.string(job.tree(), "status", "startTime"))
                        .thenComparing(job -> job.object().name()))
                .toList();
        return ended.stream()
                .limit(limit.isNumber() ? Math.max(0, ended.size() - limit.longValue()) : 0)
                .map(Child::object);
    }

    /**
     * When a cron job is due: {@code mostRecentScheduleTime} and {@code nextScheduleTime} in
     * {@code pkg/controller/cronjob/utils.go}, v1.33. Of several times that were missed, only the last one counts.
     * Pure.
     */
    private record CronJobTimes(JsonNode cronJob, Instant now) {
        private ZoneId zone() {
            return CronTimes.zone(Json.string(cronJob, "spec", "timeZone")).orElse(ZoneOffset.UTC);
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
                Instant limit = ApiTimes.later(now, -deadline.longValue());
                earliest = limit.isAfter(earliest) ? limit : earliest;
            }
            return latest(schedule(), earliest);
        }

        /**
         * The last time until now; empty if a schedule without a steady period has none lately:
         * {@code mostRecentScheduleTime} in {@code pkg/controller/cronjob/utils.go}, v1.33.
         */
        private Optional<Instant> latest(CronTimes schedule, Instant earliest) {
            Optional<Instant> first = schedule.next(earliest).filter(time -> !time.isAfter(now));
            Optional<Instant> second = first.flatMap(schedule::next).filter(time -> !time.isAfter(now));
            if (second.isEmpty()) {
                return first;
            }
            Instant from = closer(first.get(), Duration.between(first.get(), second.get()));
            Optional<Instant> found = Optional.empty();
            for (Optional<Instant> next = schedule.next(from);
                    next.isPresent() && !next.get().isAfter(now);
                    next = schedule.next(next.get())) {
                found = next;
            }
            return found;
        }

        /** Where to look for the last time, so that a cluster that was away for long does not count all. */
        private Instant closer(Instant first, Duration between) {
            long missed = Duration.between(first, now).dividedBy(between) + 1;
            return first.plus(between.multipliedBy(missed - 2));
        }

        /** The next time after now. */
        Optional<Instant> next() {
            return schedule().next(now);
        }

        /** A time as an annotation of the job tells it. */
        String shown(Instant time) {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                    time.atZone(zone()).toOffsetDateTime());
        }
    }
}
