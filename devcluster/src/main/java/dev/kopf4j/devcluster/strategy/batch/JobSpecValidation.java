package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Specs of jobs, also in cron jobs: {@code validateJobSpec} in {@code pkg/apis/batch/validation/validation.go}, v1.33.
 * Pure.
 */
final class JobSpecValidation {
    private static final List<String> COUNTS = List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes");

    private JobSpecValidation() {}

    /** The selector of a job, which must select its pods; cron jobs have none. */
    static void selector(JsonNode spec, FieldChecks checks) {
        JsonNode selector = spec.path("selector");
        boolean readable = true;
        if (selector.isObject()) {
            readable = LabelSelectorValidation.check(selector, "spec.selector", checks);
        } else {
            checks.add(FieldError.required("spec.selector", ""));
        }
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (readable && !(selector.isObject() && LabelSelector.of(selector).matches(labels))) {
            checks.problem(
                    "`selector` does not match template `labels`", "spec.template.metadata.labels", Json.text(labels));
        }
    }

    static void check(JsonNode spec, String path, FieldChecks checks) {
        COUNTS.forEach(field -> checks.atLeast(spec, field, path, 0));
        checks.oneOf(spec, "completionMode", path, List.of("NonIndexed", "Indexed"));
        JobIndexValidation.check(spec, path, checks);
        JsonNode pod = spec.path("template").path("spec");
        PodSpecValidation.check(pod, path + ".template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        String where = path + ".template.spec.restartPolicy";
        if (restart.isEmpty() || restart.equals("Always")) {
            checks.add(FieldError.required(where, "valid values: \"OnFailure\", \"Never\""));
        } else if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            checks.add(FieldError.notSupported(where, FieldError.quote(restart), List.of("OnFailure", "Never")));
        } else if (spec.path("podFailurePolicy").isObject() && !restart.equals("Never")) {
            checks.problem("only \"Never\" is supported when podFailurePolicy is specified", where, restart);
        }
    }
}
