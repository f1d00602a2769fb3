package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Specs of jobs, also in cron jobs: {@code validateJobSpec} in {@code pkg/apis/batch/validation/validation.go}, v1.33.
 * Pure.
 */
final class JobSpecValidation {
    private static final List<String> COUNTS =
            List.of("parallelism", "completions", "backoffLimit", "ttlSecondsAfterFinished", "activeDeadlineSeconds");

    private JobSpecValidation() {}

    static void check(JsonNode spec, String path, FieldChecks checks) {
        COUNTS.forEach(field -> checks.atLeast(spec, field, path, 0));
        checks.oneOf(spec, "completionMode", path, List.of("NonIndexed", "Indexed"));
        if (Json.string(spec, "completionMode").equals("Indexed") && !spec.has("completions")) {
            checks.add(FieldError.required(path + ".completions", "when completion mode is Indexed"));
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecValidation.check(pod, path + ".template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            checks.add(FieldError.required(
                    path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
        }
    }
}
