package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods: what admission and defaults add, the first phase, and that their spec hardly changes. */
final class PodStep implements KindRules {
    @Override
    public void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (Json.string(spec, "serviceAccountName").isEmpty() && draft.isNew()) {
            spec.put("serviceAccountName", "default");
        }
        PodSpecs.prepare(spec);
        PodSpecs.prepareOfPod(spec);
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        if (draft.isNew()) {
            admit(spec);
            ObjectNode status = draft.next().putObject("status");
            status.put("phase", "Pending").put("qosClass", PodSpecs.quality(spec));
            if (!spec.path("schedulingGates").isEmpty()) {
                gate(status);
            }
        }
        addresses(draft.next());
    }

    private static void gate(ObjectNode status) {
        status.putArray("conditions")
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .putNull("lastProbeTime")
                .putNull("lastTransitionTime")
                .put("reason", "SchedulingGated")
                .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }

    private static void admit(ObjectNode spec) {
        if (!spec.has("priority")) {
            spec.put("priority", 0);
        }
        if (!spec.has("preemptionPolicy")) {
            spec.put("preemptionPolicy", "PreemptLowerPriority");
        }
        ArrayNode tolerations = Json.list(spec, "tolerations");
        for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            boolean tolerated = tolerations.valueStream().anyMatch(each -> tolerates(each, key));
            if (!tolerated) {
                tolerations
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", 300);
            }
        }
    }

    private static boolean tolerates(JsonNode toleration, String key) {
        String given = Json.string(toleration, "key");
        String effect = Json.string(toleration, "effect");
        return (given.equals(key) || given.isEmpty()) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    /** One address is also a list of addresses. */
    private static void addresses(ObjectNode pod) {
        JsonNode status = pod.path("status");
        String address = Json.string(status, "podIP");
        if (!address.isEmpty() && status.path("podIPs").isEmpty()) {
            ((ObjectNode) status).putArray("podIPs").addObject().put("ip", address);
        }
        String host = Json.string(status, "hostIP");
        if (!host.isEmpty() && status.path("hostIPs").isEmpty()) {
            ((ObjectNode) status).putArray("hostIPs").addObject().put("ip", host);
        }
    }

    @Override
    public List<String> warnings(Draft draft) {
        return PodWarnings.ofPod(draft);
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        PodSpecs.check(draft.next().path("spec"), "spec", checks);
        ObjectNode before = draft.before();
        if (before == null
                && !draft.next().path("spec").path("ephemeralContainers").isEmpty()) {
            checks.add(Cause.forbidden("spec.ephemeralContainers", "cannot be set on create"));
        }
        if (before != null
                && draft.subresource().isEmpty()
                && !mutable(before.path("spec"), draft.next().path("spec"))) {
            checks.add(Cause.forbidden(
                    "spec",
                    "pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                            + "`spec.tolerations` (only additions to existing tolerations),"
                            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
                            + " negative)"));
        }
        return checks.causes();
    }

    private static boolean mutable(JsonNode before, JsonNode next) {
        ObjectNode left = fixed(before);
        ObjectNode right = fixed(next);
        return Equality.same(left, right);
    }

    private static ObjectNode fixed(JsonNode spec) {
        ObjectNode fixed = (ObjectNode) spec.deepCopy();
        fixed.remove(List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        for (String list : List.of("containers", "initContainers")) {
            fixed.path(list).forEach(container -> ((ObjectNode) container).remove("image"));
        }
        return fixed;
    }
}
