package dev.kopf4j.devcluster.controller.cronjob;

import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of cron jobs, and which of their jobs are kept: {@code syncCronJob} and {@code cleanupFinishedJobs} in
 * {@code pkg/controller/cronjob/cronjob_controllerv2.go}, v1.33. Pure.
 */
final class CronJobStatus {
    private CronJobStatus() {}

    /** A job of a cron job. */
    record Child(StoredObject object, JsonNode tree) {
        boolean is(String condition) {
            return StatusConditions.isTrue(tree.path("status"), condition);
        }

        boolean hasFinished() {
            return is("Complete") || is("Failed");
        }
    }

    /** Takes jobs off the active ones that have finished or are gone, and notes the last success. */
    static void update(ObjectNode status, Map<String, Child> jobs) {
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
    static void started(ObjectNode status, StoredObject job, Instant time) {
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
    static List<StoredObject> beyondHistory(JsonNode spec, Map<String, Child> jobs) {
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
}
