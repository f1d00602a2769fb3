package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods made of templates, and what controllers read of pods. Pure. */
public final class PodTemplate {
    private PodTemplate() {}

    /** A pod, not created yet, whose name begins with that of its owner. */
    public static ObjectNode instantiate(JsonNode template, String owner) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata").put("generateName", owner + "-");
        for (String field : List.of("labels", "annotations", "finalizers")) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    /**
     * The node of a pod, or the only one that its affinity allows by name, as daemon sets write it; empty without.
     * {@code GetTargetNodeName} in {@code pkg/controller/daemon/util/daemonset_util.go}, v1.33.
     */
    public static String node(JsonNode pod) {
        String node = Json.string(pod, "spec", "nodeName");
        JsonNode terms = Json.at(
                pod,
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms");
        return !node.isEmpty() || terms.size() != 1
                ? node
                : terms.path(0)
                        .path("matchFields")
                        .valueStream()
                        .filter(field -> Json.string(field, "key").equals("metadata.name")
                                && Json.string(field, "operator").equals("In")
                                && field.path("values").size() == 1)
                        .map(field -> field.at("/values/0").asString())
                        .findFirst()
                        .orElse("");
    }

    public static String phase(JsonNode pod) {
        return Json.string(pod, "status", "phase");
    }

    public static boolean hasEnded(JsonNode pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    public static boolean isReady(JsonNode pod) {
        return StatusConditions.isTrue(pod.path("status"), "Ready");
    }
}
