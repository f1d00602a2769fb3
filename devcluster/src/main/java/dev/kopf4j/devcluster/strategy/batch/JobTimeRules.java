package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;

/**
 * The rules about the completion time of jobs: {@code validateJobStatus} and {@code ValidateJobStatusUpdate} in
 * {@code pkg/apis/batch/validation/validation.go}, v1.33.
 */
final class JobTimeRules {
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
