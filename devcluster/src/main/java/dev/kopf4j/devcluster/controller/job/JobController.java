package dev.kopf4j.devcluster.controller.job;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls jobs: creates pods until enough have succeeded, or too many have failed, or the time is over; deletes jobs
 * when their time to live has passed after that. See {@code pkg/controller/job/job_controller.go} and
 * {@code pkg/controller/ttlafterfinished/ttlafterfinished_controller.go}, v1.33.
 */
public final class JobController implements WorkloadController {
    private static final String REASON = "CompletionsReached";
    private static final String REACHED = "Reached expected number of succeeded pods";
    private static final String EXCEEDED = "BackoffLimitExceeded";
    private static final String TOO_OFTEN = "Job has reached the specified backoff limit";

    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public JobController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode job = object.tree();
        Optional<Instant> end = endTime(job);
        if (end.isEmpty()) {
            proceed(object, job);
        } else if (job.path("spec").has("ttlSecondsAfterFinished")) {
            expire(
                    object,
                    end.get()
                            .plusSeconds(job.at("/spec/ttlSecondsAfterFinished").longValue(0)));
        }
    }

    private void expire(StoredObject object, Instant time) {
        if (time.isAfter(actions.instant())) {
            actions.syncAt(WorkloadKind.JOB, object, time);
        } else {
            actions.deleteForeground(WorkloadKind.JOB, object);
        }
    }

    private void proceed(StoredObject object, ObjectNode job) {
        JsonNode spec = job.path("spec");
        LabelSelector selector = LabelSelector.of(spec.path("selector"));
        List<JsonNode> pods = actions.claim(WorkloadKind.POD, object, WorkloadKind.JOB, selector).stream()
                .filter(pod -> !pod.deleting())
                .<JsonNode>map(StoredObject::tree)
                .toList();
        setProgress(job, pods, actions.now());
        actions.replace(WorkloadKind.JOB, object, job);
        deadline(job).ifPresent(time -> actions.syncAt(WorkloadKind.JOB, object, time));
        if (isSuspended(spec) || StatusConditions.isTrue(job.path("status"), "Failed")) {
            actions.owned(WorkloadKind.POD, object).stream()
                    .filter(pod -> !PodTemplate.hasEnded(pod.tree()))
                    .forEach(pod -> actions.delete(WorkloadKind.POD, pod));
            return;
        }
        for (long missing = missingPods(spec, pods); missing > 0; missing--) {
            ObjectNode pod = PodTemplate.instantiate(spec.path("template"), object.name());
            actions.create(WorkloadKind.POD, object, WorkloadKind.JOB, pod);
        }
    }

    private static boolean isSuspended(JsonNode spec) {
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
    private static long missingPods(JsonNode spec, List<JsonNode> pods) {
        long succeeded = succeeded(pods);
        long active = pods.size() - succeeded - failed(pods);
        return Math.min(parallelism(spec) - active, completions(spec) - succeeded - active);
    }

    /** Sets the status of a job by its pods. */
    private static void setProgress(ObjectNode job, List<JsonNode> pods, String now) {
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
    private static Optional<Instant> deadline(JsonNode job) {
        JsonNode seconds = job.path("spec").path("activeDeadlineSeconds");
        String start = Json.string(job, "status", "startTime");
        return !seconds.isNumber() || start.isEmpty() || isSuspended(job.path("spec"))
                ? Optional.empty()
                : Optional.of(Instant.parse(start).plusSeconds(seconds.longValue()));
    }

    /** When a job has completed or failed; empty if it has not. */
    private static Optional<Instant> endTime(JsonNode job) {
        return Stream.of("Complete", "Failed")
                .filter(type -> StatusConditions.isTrue(job.path("status"), type))
                .flatMap(type -> StatusConditions.find(job.path("status"), type).stream())
                .map(condition -> Instant.parse(Json.string(condition, "lastTransitionTime")))
                .findFirst();
    }
}
