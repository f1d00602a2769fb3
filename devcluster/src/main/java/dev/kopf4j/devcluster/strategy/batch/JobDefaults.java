package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of jobs: {@code SetDefaults_Job} in {@code pkg/apis/batch/v1/defaults.go}, v1.33. Pure. */
final class JobDefaults {
    private static final int USUAL_BACKOFF_LIMIT = 6;

    private JobDefaults() {}

    /**
     * Sets the defaults of a job's spec. The template of a cron job gets these defaults only when its jobs are made.
     */
    static void prepare(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1).put("parallelism", 1);
        } else if (!spec.has("parallelism")) {
            spec.put("parallelism", 1);
        }
        if (!spec.has("backoffLimit")) {
            spec.put("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : USUAL_BACKOFF_LIMIT);
        }
        if (!spec.has("completionMode")) {
            spec.put("completionMode", "NonIndexed");
        }
        for (String flag : List.of("suspend", "manualSelector")) {
            if (!spec.has(flag)) {
                spec.put(flag, false);
            }
        }
        if (!spec.has("podReplacementPolicy")) {
            spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        }
        failurePolicy(spec.path("podFailurePolicy"));
    }

    private static void failurePolicy(JsonNode policy) {
        for (JsonNode rule : policy.path("rules")) {
            for (JsonNode pattern : rule.path("onPodConditions")) {
                if (Json.string(pattern, "status").isEmpty()) {
                    ((ObjectNode) pattern).put("status", "True");
                }
            }
        }
    }

    /** Gives a job without labels those of its template. */
    static void labels(ObjectNode job) {
        ObjectNode metadata = Json.child(job, "metadata");
        JsonNode labels = Json.at(job, "spec", "template", "metadata", "labels");
        if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
            metadata.set("labels", labels.deepCopy());
        }
    }
}
