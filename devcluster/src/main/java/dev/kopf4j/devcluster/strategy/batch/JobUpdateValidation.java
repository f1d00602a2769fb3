package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of jobs: {@code ValidateJobSpecUpdate}, {@code validatePodTemplateUpdate} and
 * {@code validateCompletions} in {@code pkg/apis/batch/validation/validation.go}, v1.33. Pure.
 */
final class JobUpdateValidation {
    private static final List<String> IMMUTABLE = List.of(
            "selector", "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy");

    private JobUpdateValidation() {}

    static void check(ObjectNode job, JsonNode spec, FieldChecks checks) {
        JsonNode before = job.path("spec");
        if (!isElastic(spec)) {
            checks.immutable(spec.path("completions"), before.path("completions"), "spec.completions");
        }
        for (String field : IMMUTABLE) {
            checks.immutable(spec.path(field), before.path(field), "spec." + field);
        }
        boolean notStarted = before.path("suspend").booleanValue(false)
                && !job.path("status").has("startTime");
        JsonNode template = spec.path("template");
        if (!JsonEquality.same(fixedPart(template, notStarted), fixedPart(before.path("template"), notStarted))) {
            checks.add(FieldError.invalid("spec.template", Json.text(template), "field is immutable"));
        }
    }

    /** Whether completions may change with the parallelism (KEP-3715). */
    static boolean isElastic(JsonNode spec) {
        return Json.string(spec, "completionMode").equals("Indexed")
                && JsonEquality.same(spec.path("completions"), spec.path("parallelism"));
    }

    /**
     * The part of a template that must not change; while a job is suspended, the scheduling directives of its pods may
     * change (KEP-2926).
     */
    private static JsonNode fixedPart(JsonNode template, boolean notStarted) {
        if (!notStarted || !(template instanceof ObjectNode whole)) {
            return template;
        }
        ObjectNode part = whole.deepCopy();
        Json.child(part, "metadata").remove(List.of("labels", "annotations"));
        ObjectNode pod = Json.child(part, "spec");
        pod.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
        ObjectNode affinity = Json.child(pod, "affinity");
        affinity.remove("nodeAffinity");
        if (affinity.isEmpty()) {
            pod.remove("affinity");
        }
        return part;
    }
}
