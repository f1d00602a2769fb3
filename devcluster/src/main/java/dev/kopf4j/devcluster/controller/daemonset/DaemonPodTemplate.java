package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of daemon sets: they tolerate what is wrong with nodes, and are bound to a node by an affinity.
 * {@code CreatePodTemplate} and {@code ReplaceDaemonSetPodNodeNameNodeAffinity} in
 * {@code pkg/controller/daemon/util/daemonset_util.go}, v1.33. Pure.
 */
final class DaemonPodTemplate {
    private static final List<List<String>> TOLERATED = List.of(
            List.of("node.kubernetes.io/not-ready", "NoExecute"),
            List.of("node.kubernetes.io/unreachable", "NoExecute"),
            List.of("node.kubernetes.io/disk-pressure", "NoSchedule"),
            List.of("node.kubernetes.io/memory-pressure", "NoSchedule"),
            List.of("node.kubernetes.io/pid-pressure", "NoSchedule"),
            List.of("node.kubernetes.io/unschedulable", "NoSchedule"));
    private static final List<String> OF_HOST_NETWORK = List.of("node.kubernetes.io/network-unavailable", "NoSchedule");

    private DaemonPodTemplate() {}

    /** The spec of a template with the tolerations of daemon sets. */
    static ObjectNode spec(JsonNode template) {
        ObjectNode spec = (ObjectNode) template.path("spec").deepCopy();
        List<List<String>> tolerated = new ArrayList<>(TOLERATED);
        if (spec.path("hostNetwork").booleanValue(false)) {
            tolerated.add(OF_HOST_NETWORK);
        }
        ArrayNode tolerations = Json.list(spec, "tolerations");
        for (List<String> each : tolerated) {
            tolerations.removeIf(present -> Json.string(present, "key").equals(each.get(0))
                    && Json.string(present, "effect").equals(each.get(1))
                    && Json.string(present, "operator").equals("Exists"));
            tolerations
                    .addObject()
                    .put("key", each.get(0))
                    .put("operator", "Exists")
                    .put("effect", each.get(1));
        }
        return spec;
    }

    /**
     * A pod for a node, not created yet.
     *
     * @param generation the generation of the template; empty without
     */
    static ObjectNode pod(JsonNode template, String set, String node, String hash, String generation) {
        ObjectNode pod = PodTemplate.instantiate(template, set);
        ObjectNode labels = Json.child(Json.child(pod, "metadata"), "labels");
        labels.put("controller-revision-hash", hash);
        if (!generation.isEmpty()) {
            labels.put("pod-template-generation", generation);
        }
        ObjectNode spec = spec(template);
        ObjectNode affinity = Json.child(Json.child(spec, "affinity"), "nodeAffinity");
        ObjectNode onlyTerm = affinity.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms")
                .addObject();
        onlyTerm.putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        pod.set("spec", spec);
        return pod;
    }
}
