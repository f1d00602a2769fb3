package dev.kopf4j.engine.children.live;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** When workloads are ready: rolled out, or complete. Pure. */
final class WorkloadReadiness {
    private WorkloadReadiness() {}

    static @Nullable String ofDeployment(ObjectNode body) {
        JsonNode status = body.path("status");
        int wanted = replicas(body);
        int updated = status.path("updatedReplicas").asInt(0);
        int available = status.path("availableReplicas").asInt(0);
        int all = status.path("replicas").asInt(0);
        if (!status.has("observedGeneration")) {
            return "its controller has not seen it yet";
        }
        if (updated >= wanted && all <= updated && available >= updated) {
            return null;
        }
        String count = updated < wanted
                ? updated + " of " + wanted + " replicas are updated"
                : all > updated
                        ? (all - updated) + " old replicas have to end"
                        : available + " of " + wanted + " replicas are available";
        JsonNode progressing = Readiness.find(body, "Progressing");
        boolean stuck =
                progressing != null && progressing.path("reason").asString("").equals("ProgressDeadlineExceeded");
        return stuck ? count + "; no progress within its deadline" : count;
    }

    static @Nullable String ofStatefulSet(ObjectNode body) {
        JsonNode status = body.path("status");
        int wanted = replicas(body);
        int ready = status.path("readyReplicas").asInt(0);
        if (!status.has("observedGeneration")) {
            return "its controller has not seen it yet";
        }
        if (ready < wanted) {
            return ready + " of " + wanted + " replicas are ready";
        }
        if (updatesOnDelete(body)) {
            return null;
        }
        int toUpdate = wanted
                - body.path("spec")
                        .path("updateStrategy")
                        .path("rollingUpdate")
                        .path("partition")
                        .asInt(0);
        boolean rolling = !status.path("currentRevision")
                .asString("")
                .equals(status.path("updateRevision").asString(""));
        int updated = status.path("updatedReplicas").asInt(0);
        return rolling && updated < toUpdate ? updated + " of " + toUpdate + " replicas are updated" : null;
    }

    static @Nullable String ofDaemonSet(ObjectNode body) {
        JsonNode status = body.path("status");
        int wanted = status.path("desiredNumberScheduled").asInt(0);
        int updated = status.path("updatedNumberScheduled").asInt(0);
        int available = status.path("numberAvailable").asInt(0);
        if (!status.has("observedGeneration")) {
            return "its controller has not seen it yet";
        }
        if (updated < wanted && !updatesOnDelete(body)) {
            return updated + " of " + wanted + " pods are updated";
        }
        return available < wanted ? available + " of " + wanted + " pods are available" : null;
    }

    /** Then somebody else decides when its pods are replaced, perhaps never. */
    private static boolean updatesOnDelete(ObjectNode body) {
        return body.path("spec")
                .path("updateStrategy")
                .path("type")
                .asString("")
                .equals("OnDelete");
    }

    static @Nullable String ofReplicaSet(ObjectNode body) {
        int wanted = replicas(body);
        int available = body.path("status").path("availableReplicas").asInt(0);
        return available < wanted ? available + " of " + wanted + " replicas are available" : null;
    }

    private static int replicas(ObjectNode body) {
        return body.path("spec").path("replicas").asInt(1);
    }

    static @Nullable String ofJob(ObjectNode body) {
        if (Readiness.isTrue(Readiness.find(body, "Complete"))) {
            return null;
        }
        JsonNode failed = Readiness.find(body, "Failed");
        if (failed != null && Readiness.isTrue(failed)) {
            return "it has failed" + Readiness.describe(failed).replaceFirst("^True", "");
        }
        return "it is not complete yet";
    }

    static @Nullable String ofPod(ObjectNode body) {
        String phase = body.path("status").path("phase").asString("Pending");
        JsonNode ready = Readiness.find(body, "Ready");
        if (phase.equals("Succeeded") || Readiness.isTrue(ready)) {
            return null;
        }
        return phase.equals("Running") ? Readiness.lacking("Ready", ready) : "its phase is " + phase;
    }
}
