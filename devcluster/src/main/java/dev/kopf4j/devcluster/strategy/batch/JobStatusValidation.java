package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of the status of jobs: {@code ValidateJobStatusUpdate} and {@code validateJobStatus} in
 * {@code pkg/apis/batch/validation/validation.go}, with {@code getStatusValidationOptions} in
 * {@code pkg/registry/batch/job/strategy.go}, v1.33. A rule is checked only if one of its fields changed, so that an
 * already invalid status does not block other updates.
 */
final class JobStatusValidation {
    private static final List<String> COUNTS = List.of("active", "succeeded", "failed", "ready", "terminating");
    private final JobStatus before;
    private final JobStatus next;
    private final JobStatusChange change;

    JobStatusValidation(ObjectNode before, ObjectNode next) {
        this.before = new JobStatus(before);
        this.next = new JobStatus(next);
        this.change = new JobStatusChange(this.before, this.next);
    }

    /** Reports errors. */
    void check(FieldChecks checks) {
        COUNTS.forEach(field -> checks.atLeast(next.job().path("status"), field, "status", 0));
        new JobConditionRules(change)
                .broken()
                .forEach(rule -> checks.add(FieldError.invalid("status.conditions", "", rule)));
        new JobTimeRules(change).check(checks);
        finished(checks);
        startTime(checks);
        counters(checks);
        indexes(checks);
    }

    private void finished(FieldChecks checks) {
        if (!next.isFinished()) {
            return;
        }
        for (String field : List.of("active", "terminating")) {
            if (next.count(field) > 0 && (change.ofEnd() || change.of(field))) {
                invalid(field, field + ">0 is invalid for finished job", checks);
            }
        }
        if (!next.has("startTime") && (change.ofEnd() || change.of("startTime"))) {
            checks.add(FieldError.required("status.startTime", "startTime is required for finished job"));
        }
        JsonNode uncounted = next.field("uncountedTerminatedPods");
        boolean open = !uncounted.path("failed").isEmpty()
                || !uncounted.path("succeeded").isEmpty();
        if (open && (change.ofEnd() || change.of("uncountedTerminatedPods"))) {
            checks.add(FieldError.invalid(
                    "status.uncountedTerminatedPods",
                    Json.text(uncounted),
                    "uncountedTerminatedPods needs to be empty for finished job"));
        }
    }

    private void startTime(FieldChecks checks) {
        boolean suspended = next.spec().path("suspend").booleanValue(false);
        if (before.has("startTime") && change.of("startTime") && !suspended) {
            checks.add(FieldError.required("status.startTime", "startTime cannot be removed for unsuspended job"));
        }
    }

    private void counters(FieldChecks checks) {
        if (next.count("ready") > next.count("active") && change.of("ready", "active")) {
            invalid("ready", "cannot set more ready pods than active", checks);
        }
        notDecreasing("failed", checks);
        if (!JobUpdateValidation.isElastic(next.spec())) {
            notDecreasing("succeeded", checks);
        }
    }

    private void notDecreasing(String field, FieldChecks checks) {
        if (next.count(field) < before.count(field)) {
            checks.add(FieldError.invalid(
                    "status." + field, String.valueOf(next.count(field)), "cannot decrease the " + field + " counter"));
        }
    }

    private void indexes(FieldChecks checks) {
        String completed = next.field("completedIndexes").asString("");
        if (change.of("completedIndexes") && !completed.isEmpty() && !next.isIndexed()) {
            checks.problem(
                    "cannot set non-empty completedIndexes when non-indexed completion mode",
                    "status.completedIndexes",
                    completed);
        }
        boolean perIndex = next.spec().has("backoffLimitPerIndex");
        if (change.of("failedIndexes") && next.has("failedIndexes") && !perIndex) {
            checks.problem(
                    "cannot set non-null failedIndexes when backoffLimitPerIndex is null",
                    "status.failedIndexes",
                    next.field("failedIndexes").asString());
        }
    }

    private void invalid(String field, String rule, FieldChecks checks) {
        checks.add(FieldError.invalid("status." + field, next.field(field).asString(), rule));
    }
}
