package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    /**
     * The rules about conditions of jobs that exclude or need each other, or that stay for ever:
     * {@code validateJobStatus} and {@code ValidateJobStatusUpdate} in {@code pkg/apis/batch/validation/validation.go},
     * v1.33.
     */
    private static final class JobConditionRules {
        private static final String COMPLETE = "Complete";
        private static final String FAILED = "Failed";
        private static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
        private static final String FAILURE_TARGET = "FailureTarget";
        private final JobStatusChange change;
        private final List<String> broken = new ArrayList<>();

        JobConditionRules(JobStatusChange change) {
            this.change = change;
        }

        /** Messages about the rules that a change breaks. */
        List<String> broken() {
            exclusions();
            removals();
            return broken;
        }

        private void exclusions() {
            JobStatus next = change.next();
            boolean complete = next.is(COMPLETE);
            boolean failed = next.is(FAILED);
            boolean met = next.is(SUCCESS_CRITERIA_MET);
            boolean target = next.is(FAILURE_TARGET);
            rule(
                    complete && failed && change.ofConditions(COMPLETE, FAILED),
                    "cannot set Complete=True and Failed=true conditions");
            rule(
                    complete && target && change.ofConditions(COMPLETE, FAILURE_TARGET),
                    "cannot set Complete=True and FailureTarget=true conditions");
            rule(
                    failed && !target && change.ofConditions(FAILED, FAILURE_TARGET),
                    "cannot set Failed=True condition without the FailureTarget=true condition");
            rule(
                    complete && !met && change.ofConditions(COMPLETE, SUCCESS_CRITERIA_MET),
                    "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
            rule(met && failed, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
            rule(met && target, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
            rule(
                    complete && !met && next.spec().has("successPolicy"),
                    "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }

        private void removals() {
            JobStatus before = change.before();
            JobStatus next = change.next();
            for (String condition : List.of(FAILED, COMPLETE, FAILURE_TARGET)) {
                rule(
                        before.is(condition) && !next.is(condition),
                        "cannot disable the terminal " + condition + "=True condition");
            }
            boolean met = before.is(SUCCESS_CRITERIA_MET);
            rule(met && !next.is(SUCCESS_CRITERIA_MET), "cannot disable the SuccessCriteriaMet=True condition");
            rule(
                    before.is(COMPLETE) && !met && next.is(SUCCESS_CRITERIA_MET),
                    "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }

        private void rule(boolean isBroken, String words) {
            if (isBroken) {
                broken.add(words);
            }
        }
    }

    /**
     * The rules about the completion time of jobs: {@code validateJobStatus} and {@code ValidateJobStatusUpdate} in
     * {@code pkg/apis/batch/validation/validation.go}, v1.33.
     */
    private static final class JobTimeRules {
        private static final String TIME = "completionTime";
        private static final String PATH = "status." + TIME;
        private final JobStatusChange change;
        private final JobStatus next;

        JobTimeRules(JobStatusChange change) {
            this.change = change;
            this.next = change.next();
        }

        void check(FieldChecks checks) {
            boolean set = next.has(TIME);
            boolean complete = next.is("Complete");
            boolean changed = change.ofConditions("Complete") || change.of(TIME);
            if (changed && set && !complete) {
                invalid("cannot set completionTime when there is no Complete=True condition", checks);
            }
            if (changed && !set && complete) {
                checks.add(FieldError.required(PATH, "completionTime is required for Complete jobs"));
            }
            if (set
                    && next.has("startTime")
                    && change.of("startTime", TIME)
                    && next.time(TIME).isBefore(next.time("startTime"))) {
                invalid("completionTime cannot be set before startTime", checks);
            }
            if (set && change.before().has(TIME) && change.of(TIME)) {
                invalid("completionTime cannot be mutated", checks);
            }
        }

        private void invalid(String rule, FieldChecks checks) {
            checks.add(FieldError.invalid(PATH, Json.text(next.field(TIME)), rule));
        }
    }

    /** A change of a job's status. */
    private record JobStatusChange(JobStatus before, JobStatus next) {
        /** Whether one of these conditions becomes true or false. */
        boolean ofConditions(String... conditions) {
            return Stream.of(conditions).anyMatch(each -> before.is(each) != next.is(each));
        }

        /** Whether one of these fields changes. */
        boolean of(String... fields) {
            return Stream.of(fields).anyMatch(each -> !JsonEquality.same(before.field(each), next.field(each)));
        }

        /** Whether the job becomes finished or unfinished. */
        boolean ofEnd() {
            return before.isFinished() != next.isFinished();
        }
    }

    /** The status of a job in one state. */
    private record JobStatus(JsonNode job) {
        JsonNode spec() {
            return job.path("spec");
        }

        JsonNode field(String name) {
            return job.path("status").path(name);
        }

        boolean has(String name) {
            return !field(name).isMissingNode() && !field(name).isNull();
        }

        long count(String name) {
            return field(name).longValue(0);
        }

        Instant time(String name) {
            return Instant.parse(field(name).stringValue());
        }

        boolean is(String condition) {
            return StatusConditions.isTrue(job.path("status"), condition);
        }

        boolean isFinished() {
            return is("Complete") || is("Failed");
        }

        boolean isIndexed() {
            return Json.string(job, "spec", "completionMode").equals("Indexed");
        }
    }
}
