package dev.kopf4j.devcluster.controller.job;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The progress of jobs: {@code pkg/controller/job/job_controller.go}, v1.33. Pure. */
final class JobProgress {
    private static final String REASON = "CompletionsReached";
    private static final String REACHED = "Reached expected number of succeeded pods";

    private static final String EXCEEDED = "BackoffLimitExceeded";
    private static final String TOO_OFTEN = "Job has reached the specified backoff limit";

    private JobProgress() {}

    static boolean isSuspended(JsonNode spec) {
        return spec.path("suspend").booleanValue(false);
    }

    private static long parallelism(JsonNode spec) {
        return spec.path("parallelism").longValue(1);
    }

    private static long completions(JsonNode spec) {
        return spec.path("completions").longValue(parallelism(spec));
    }

    private static long succeeded(List<JsonNode> pods) {
        return pods.stream()
                .filter(pod -> PodTemplate.phase(pod).equals("Succeeded"))
                .count();
    }

    private static long failed(List<JsonNode> pods) {
        return pods.stream()
                .filter(pod -> PodTemplate.phase(pod).equals("Failed"))
                .count();
    }

    /** How many pods are missing; negative if there are too many. */
    static long missingPods(JsonNode spec, List<JsonNode> pods) {
        long succeeded = succeeded(pods);
        long active = pods.size() - succeeded - failed(pods);
        return Math.min(parallelism(spec) - active, completions(spec) - succeeded - active);
    }

    /** Sets the status of a job by its pods. */
    static void set(ObjectNode job, List<JsonNode> pods, String now) {
        JsonNode spec = job.path("spec");
        ObjectNode status = Json.child(job, "status");
        long succeeded = succeeded(pods);
        boolean suspended = isSuspended(spec);
        if (!suspended && !status.has("startTime")) {
            status.put("startTime", now);
        }
        long failed = failed(pods);
        StatusCounts.set(status, "active", pods.size() - succeeded - failed);
        StatusCounts.set(status, "failed", failed);
        StatusCounts.set(status, "succeeded", succeeded);
        status.put("ready", pods.stream().filter(PodTemplate::isReady).count());
        status.put("terminating", 0);
        if (suspended || StatusConditions.find(status, "Suspended").isPresent()) {
            StatusConditions.set(
                    status,
                    "Suspended",
                    suspended,
                    suspended ? "JobSuspended" : "JobResumed",
                    suspended ? "Job suspended" : "Job resumed",
                    now);
        }
        if (failed > spec.path("backoffLimit").longValue(Integer.MAX_VALUE)) {
            fail(status, EXCEEDED, TOO_OFTEN, now);
        } else if (deadline(job)
                .filter(time -> !time.isAfter(Instant.parse(now)))
                .isPresent()) {
            fail(status, "DeadlineExceeded", "Job was active longer than specified deadline", now);
        } else if (succeeded >= completions(spec)) {
            status.put("completionTime", now);
            StatusConditions.set(status, "SuccessCriteriaMet", true, REASON, REACHED, now);
            StatusConditions.set(status, "Complete", true, REASON, REACHED, now);
        }
    }

    private static void fail(ObjectNode status, String reason, String message, String now) {
        StatusConditions.set(status, "FailureTarget", true, reason, message, now);
        StatusConditions.set(status, "Failed", true, reason, message, now);
        StatusCounts.set(
                status,
                "failed",
                status.path("failed").longValue(0) + status.path("active").longValue(0));
        status.remove("active");
        status.put("ready", 0);
    }

    /** When a job fails that is still active then; empty if it may take any time. */
    static Optional<Instant> deadline(JsonNode job) {
        JsonNode seconds = job.path("spec").path("activeDeadlineSeconds");
        String start = Json.string(job, "status", "startTime");
        return !seconds.isNumber() || start.isEmpty() || isSuspended(job.path("spec"))
                ? Optional.empty()
                : Optional.of(Instant.parse(start).plusSeconds(seconds.longValue()));
    }

    /** When a job has completed or failed; empty if it has not. */
    static Optional<Instant> endTime(JsonNode job) {
        return Stream.of("Complete", "Failed")
                .filter(type -> StatusConditions.isTrue(job.path("status"), type))
                .flatMap(type -> StatusConditions.find(job.path("status"), type).stream())
                .map(condition -> Instant.parse(Json.string(condition, "lastTransitionTime")))
                .findFirst();
    }
}
