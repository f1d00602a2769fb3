package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the status of a job may say, and how it may go on. A rule is asked only when one of the fields that it is about
 * has changed, so that a status that was wrong before does not stand in the way of other changes.
 */
final class JobStatusValidation {
    private static final String CONDITIONS = "status.conditions";
    private final State before;
    private final State next;

    JobStatusValidation(ObjectNode before, ObjectNode next) {
        this.before = new State(before);
        this.next = new State(next);
    }

    /** One state of a job, and what it means. */
    private record State(JsonNode job) {
        JsonNode field(String name) {
            return job.path("status").path(name);
        }

        boolean has(String name) {
            return !field(name).isMissingNode() && !field(name).isNull();
        }

        long count(String name) {
            return field(name).longValue(0);
        }

        boolean is(String condition) {
            return field("conditions")
                    .valueStream()
                    .anyMatch(each -> Json.string(each, "type").equals(condition)
                            && Json.string(each, "status").equals("True"));
        }

        boolean finished() {
            return is("Complete") || is("Failed");
        }

        boolean indexed() {
            return Json.string(job, "spec", "completionMode").equals("Indexed");
        }
    }

    /** Adds what is wrong. */
    void check(FieldChecks fieldChecks) {
        for (String field : List.of("active", "succeeded", "failed", "ready", "terminating")) {
            fieldChecks.atLeast(next.job().path("status"), field, "status", 0);
        }
        List<String> contradictions = new ArrayList<>();
        conditions(contradictions);
        lost(contradictions);
        contradictions.forEach(words -> fieldChecks.add(FieldError.invalid(CONDITIONS, "", words)));
        completion(fieldChecks);
        end(fieldChecks);
        counters(fieldChecks);
        indexes(fieldChecks);
    }

    private boolean conditionChanged(String... conditions) {
        return List.of(conditions).stream().anyMatch(each -> before.is(each) != next.is(each));
    }

    private boolean changed(String... fields) {
        return List.of(fields).stream().anyMatch(each -> !JsonEquality.same(before.field(each), next.field(each)));
    }

    /** Conditions that exclude, or need, each other. */
    private void conditions(List<String> wrong) {
        boolean complete = next.is("Complete");
        boolean failed = next.is("Failed");
        boolean met = next.is("SuccessCriteriaMet");
        boolean target = next.is("FailureTarget");
        if (complete && failed && conditionChanged("Complete", "Failed")) {
            wrong.add("cannot set Complete=True and Failed=true conditions");
        }
        if (complete && target && conditionChanged("Complete", "FailureTarget")) {
            wrong.add("cannot set Complete=True and FailureTarget=true conditions");
        }
        if (failed && !target && conditionChanged("Failed", "FailureTarget")) {
            wrong.add("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if (complete && !met && conditionChanged("Complete", "SuccessCriteriaMet")) {
            wrong.add("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
        if (met && failed) {
            wrong.add("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (met && target) {
            wrong.add("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (complete && !met && next.job().path("spec").has("successPolicy")) {
            wrong.add("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    /** Conditions that stay for ever. */
    private void lost(List<String> wrong) {
        for (String condition : List.of("Failed", "Complete", "FailureTarget")) {
            if (before.is(condition) && !next.is(condition)) {
                wrong.add("cannot disable the terminal " + condition + "=True condition");
            }
        }
        boolean met = before.is("SuccessCriteriaMet");
        if (met && !next.is("SuccessCriteriaMet")) {
            wrong.add("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (before.is("Complete") && !met && next.is("SuccessCriteriaMet")) {
            wrong.add("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private void completion(FieldChecks fieldChecks) {
        String path = "status.completionTime";
        String shown = Json.text(next.field("completionTime"));
        boolean told = next.has("completionTime");
        boolean complete = next.is("Complete");
        boolean asked = conditionChanged("Complete") || changed("completionTime");
        if (asked && told && !complete) {
            fieldChecks.add(FieldError.invalid(
                    path, shown, "cannot set completionTime when there is no Complete=True condition"));
        }
        if (asked && !told && complete) {
            fieldChecks.add(FieldError.required(path, "completionTime is required for Complete jobs"));
        }
        if (told
                && next.has("startTime")
                && changed("startTime", "completionTime")
                && time("completionTime").isBefore(time("startTime"))) {
            fieldChecks.add(FieldError.invalid(path, shown, "completionTime cannot be set before startTime"));
        }
        if (told && before.has("completionTime") && changed("completionTime")) {
            fieldChecks.add(FieldError.invalid(path, shown, "completionTime cannot be mutated"));
        }
    }

    private Instant time(String field) {
        return Instant.parse(next.field(field).stringValue());
    }

    /** What a job that has ended must say, and must not. */
    private void end(FieldChecks fieldChecks) {
        boolean ended = before.finished() != next.finished();
        if (next.finished()) {
            if (next.count("active") > 0 && (ended || changed("active"))) {
                fieldChecks.add(FieldError.invalid(
                        "status.active", next.field("active").asString(), "active>0 is invalid for finished job"));
            }
            if (next.count("terminating") > 0 && (ended || changed("terminating"))) {
                fieldChecks.add(FieldError.invalid(
                        "status.terminating",
                        next.field("terminating").asString(),
                        "terminating>0 is invalid for finished job"));
            }
            if (!next.has("startTime") && (ended || changed("startTime"))) {
                fieldChecks.add(FieldError.required("status.startTime", "startTime is required for finished job"));
            }
            JsonNode uncounted = next.field("uncountedTerminatedPods");
            boolean open = !uncounted.path("failed").isEmpty()
                    || !uncounted.path("succeeded").isEmpty();
            if (open && (ended || changed("uncountedTerminatedPods"))) {
                fieldChecks.add(FieldError.invalid(
                        "status.uncountedTerminatedPods",
                        Json.text(uncounted),
                        "uncountedTerminatedPods needs to be empty for finished job"));
            }
        }
        boolean suspended = next.job().path("spec").path("suspend").booleanValue(false);
        if (before.has("startTime") && changed("startTime") && !suspended) {
            fieldChecks.add(FieldError.required("status.startTime", "startTime cannot be removed for unsuspended job"));
        }
    }

    private void counters(FieldChecks fieldChecks) {
        if (next.count("ready") > next.count("active") && changed("ready", "active")) {
            fieldChecks.add(FieldError.invalid(
                    "status.ready", next.field("ready").asString(), "cannot set more ready pods than active"));
        }
        JsonNode spec = next.job().path("spec");
        boolean elastic = next.indexed() && JsonEquality.same(spec.path("completions"), spec.path("parallelism"));
        decreasing("failed", false, fieldChecks);
        decreasing("succeeded", elastic, fieldChecks);
    }

    private void decreasing(String field, boolean allowed, FieldChecks fieldChecks) {
        if (!allowed && next.count(field) < before.count(field)) {
            fieldChecks.add(FieldError.invalid(
                    "status." + field, String.valueOf(next.count(field)), "cannot decrease the " + field + " counter"));
        }
    }

    private void indexes(FieldChecks fieldChecks) {
        String completed = next.field("completedIndexes").asString("");
        if (changed("completedIndexes") && !completed.isEmpty() && !next.indexed()) {
            fieldChecks.add(FieldError.invalidString(
                    "status.completedIndexes",
                    completed,
                    "cannot set non-empty completedIndexes when non-indexed completion mode"));
        }
        boolean perIndex = next.job().path("spec").has("backoffLimitPerIndex");
        if (changed("failedIndexes") && next.has("failedIndexes") && !perIndex) {
            fieldChecks.add(FieldError.invalidString(
                    "status.failedIndexes",
                    next.field("failedIndexes").asString(),
                    "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
        }
    }
}
