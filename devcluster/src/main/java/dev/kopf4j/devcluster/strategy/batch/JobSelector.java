package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * The selector of a job, and the labels of its pods: {@code generateSelector} in
 * {@code pkg/registry/batch/job/strategy.go}, v1.33. Pure.
 */
final class JobSelector {
    private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

    private JobSelector() {}

    /** Sets both, by the name and uid of the job. */
    static void generate(ObjectNode job) {
        String uid = Json.string(job, "metadata", "uid");
        String name = Json.string(job, "metadata", "name");
        ObjectNode spec = Json.child(job, "spec");
        ObjectNode labels = Json.child(Json.child(Json.child(spec, "template"), "metadata"), "labels");
        labels.put(UID_LABEL, uid).put("batch.kubernetes.io/job-name", name);
        labels.put("controller-uid", uid).put("job-name", name);
        spec.putObject("selector").putObject("matchLabels").put(UID_LABEL, uid);
    }
}
