package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Cron jobs: {@code validateCronJobSpec} and {@code ValidateCronJobCreate} in
 * {@code pkg/apis/batch/validation/validation.go}, v1.33.
 */
final class CronJobStrategy implements ResourceStrategy {
    private static final String[] TEMPLATE = {"spec", "jobTemplate", "spec", "template"};
    /** The controller appends 11 characters, and names of jobs have at most 63. */
    private static final int MAX_NAME = 52;

    @Override
    public void prepare(ObjectDraft draft) {
        PodSpecDefaults.prepareTemplate(draft.next(), TEMPLATE);
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
        warnings.addAll(PodWarnings.ofTemplate(draft, TEMPLATE));
        return warnings;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        String name = Json.string(draft.next(), "metadata", "name");
        if (draft.isNew() && name.length() > MAX_NAME) {
            checks.problem("must be no more than " + MAX_NAME + " characters", "metadata.name", name);
        }
        String schedule = Json.string(spec, "schedule");
        if (schedule.isEmpty()) {
            checks.add(FieldError.required("spec.schedule", ""));
        } else {
            checks.problem(CronSchedule.problem(schedule), "spec.schedule", schedule);
        }
        String zone = Json.string(spec, "timeZone");
        if (spec.has("timeZone") && !ZoneId.getAvailableZoneIds().contains(zone)) {
            checks.problem("unknown time zone " + zone, "spec.timeZone", zone);
        }
        for (String field :
                List.of("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
            checks.atLeast(spec, field, "spec", 0);
        }
        checks.oneOf(spec, "concurrencyPolicy", "spec", List.of("Allow", "Forbid", "Replace"));
        if (spec.path("jobTemplate").path("spec").path("manualSelector").booleanValue(false)) {
            checks.add(
                    FieldError.notSupported("spec.jobTemplate.spec.manualSelector", "true", List.of("nil", "false")));
        }
        JobSpecValidation.check(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", checks);
    }
}
