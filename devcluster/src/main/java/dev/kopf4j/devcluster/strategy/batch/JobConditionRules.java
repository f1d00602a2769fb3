package dev.kopf4j.devcluster.strategy.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules about conditions of jobs that exclude or need each other, or that stay for ever: {@code validateJobStatus}
 * and {@code ValidateJobStatusUpdate} in {@code pkg/apis/batch/validation/validation.go}, v1.33.
 */
final class JobConditionRules {
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
