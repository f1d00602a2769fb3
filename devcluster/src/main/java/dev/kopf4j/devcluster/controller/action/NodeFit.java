package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether pods fit a node: {@code NodeShouldRunDaemonPod} in {@code pkg/controller/daemon/daemon_controller.go}, and
 * {@code GetRequiredNodeAffinity} in {@code scheduling/corev1/nodeaffinity} of component-helpers, v1.33. Pure.
 *
 * @param run whether the node is to get a pod
 * @param keep whether a pod that is there may stay
 */
public record NodeFit(boolean run, boolean keep) {
    private static final NodeFit NO = new NodeFit(false, false);
    private static final JsonNode UNSCHEDULABLE =
            Json.object().put("key", "node.kubernetes.io/unschedulable").put("effect", "NoSchedule");

    /** The fit of a pod's spec, which has its tolerations. */
    public static NodeFit of(JsonNode spec, JsonNode node) {
        String name = Json.string(node, "metadata", "name");
        String wanted = Json.string(spec, "nodeName");
        if ((!wanted.isEmpty() && !wanted.equals(name)) || !selects(spec, node)) {
            return NO;
        }
        boolean schedules = tolerates(spec, node, Set.of("NoSchedule", "NoExecute"));
        return new NodeFit(schedules, schedules || tolerates(spec, node, Set.of("NoExecute")));
    }

    /** Whether a node is open for a pod: {@code plugins/nodeunschedulable/node_unschedulable.go} of the scheduler. */
    public static boolean isOpen(JsonNode spec, JsonNode node) {
        return !node.at("/spec/unschedulable").booleanValue(false)
                || Json.items(spec, "tolerations").anyMatch(each -> tolerates(each, UNSCHEDULABLE));
    }

    /**
     * How long a pod may stay on its node, which has taints of the effect NoExecute; empty if it may for ever.
     * {@code processPodOnNode} in {@code pkg/controller/tainteviction/taint_eviction.go}, v1.33.
     */
    public static Optional<Duration> patience(JsonNode spec, JsonNode node) {
        List<JsonNode> taints = Json.items(node, "spec", "taints")
                .filter(taint -> Json.string(taint, "effect").equals("NoExecute"))
                .toList();
        if (taints.isEmpty()) {
            return Optional.empty();
        }
        if (!tolerates(spec, node, Set.of("NoExecute"))) {
            return Optional.of(Duration.ZERO);
        }
        return Json.items(spec, "tolerations")
                .filter(toleration -> toleration.has("tolerationSeconds")
                        && taints.stream().anyMatch(taint -> tolerates(toleration, taint)))
                .map(toleration -> Duration.ofSeconds(
                        Math.max(0, toleration.path("tolerationSeconds").longValue(0))))
                .min(Comparator.naturalOrder());
    }

    private static boolean selects(JsonNode spec, JsonNode node) {
        ObjectNode selector = Json.object();
        selector.set("matchLabels", spec.path("nodeSelector"));
        JsonNode labels = node.path("metadata").path("labels");
        JsonNode required = Json.at(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return LabelSelector.of(selector).matches(labels)
                && (required.isMissingNode()
                        || Json.items(required, "nodeSelectorTerms").anyMatch(term -> matches(term, node)));
    }

    private static boolean matches(JsonNode term, JsonNode node) {
        if (term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty()) {
            return false;
        }
        ObjectNode fields = Json.object();
        fields.put("metadata.name", Json.string(node, "metadata", "name"));
        ObjectNode fieldSelector = Json.object();
        fieldSelector.set("matchExpressions", term.path("matchFields"));
        ObjectNode labelSelector = Json.object();
        labelSelector.set("matchExpressions", term.path("matchExpressions"));
        return LabelSelector.of(fieldSelector).matches(fields)
                && LabelSelector.of(labelSelector).matches(node.path("metadata").path("labels"));
    }

    private static boolean tolerates(JsonNode spec, JsonNode node, Set<String> effects) {
        return Json.items(node, "spec", "taints")
                .filter(taint -> effects.contains(Json.string(taint, "effect")))
                .allMatch(taint -> Json.items(spec, "tolerations").anyMatch(each -> tolerates(each, taint)));
    }

    /** {@code ToleratesTaint} in {@code staging/src/k8s.io/api/core/v1/toleration.go}, v1.33. */
    private static boolean tolerates(JsonNode toleration, JsonNode taint) {
        String effect = Json.string(toleration, "effect");
        String key = Json.string(toleration, "key");
        boolean exists = Json.string(toleration, "operator").equals("Exists");
        return (effect.isEmpty() || effect.equals(Json.string(taint, "effect")))
                && (key.isEmpty() ? exists : key.equals(Json.string(taint, "key")))
                && (exists || Json.string(toleration, "value").equals(Json.string(taint, "value")));
    }
}
