package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods: what admission and defaults add, the first phase, and that their spec hardly changes. */
public final class PodStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode spec = Json.child(objectDraft.next(), "spec");
        if (Json.string(spec, "serviceAccountName").isEmpty() && objectDraft.isNew()) {
            spec.put("serviceAccountName", "default");
        }
        PodSpecDefaults.prepare(spec);
        PodSpecDefaults.prepareOfPod(spec);
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        if (objectDraft.isNew()) {
            admit(spec);
            ObjectNode status = objectDraft.next().putObject("status");
            status.put("phase", "Pending").put("qosClass", PodSpecDefaults.qosClass(spec));
            if (!spec.path("schedulingGates").isEmpty()) {
                gate(status);
            }
        }
        addresses(objectDraft.next());
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
    public List<String> warnings(ObjectDraft objectDraft) {
        return PodWarnings.ofPod(objectDraft);
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        PodSpecDefaults.check(objectDraft.next().path("spec"), "spec", fieldChecks);
        ObjectNode before = objectDraft.before();
        if (before == null
                && !objectDraft.next().path("spec").path("ephemeralContainers").isEmpty()) {
            fieldChecks.add(FieldError.forbidden("spec.ephemeralContainers", "cannot be set on create"));
        }
        if (before != null
                && objectDraft.subresource().isEmpty()
                && !mutable(before.path("spec"), objectDraft.next().path("spec"))) {
            fieldChecks.add(FieldError.forbidden(
                    "spec",
                    "pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                            + "`spec.tolerations` (only additions to existing tolerations),"
                            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
                            + " negative)"));
        }
        return fieldChecks.causes();
    }

    private static boolean mutable(JsonNode before, JsonNode next) {
        ObjectNode left = fixed(before);
        ObjectNode right = fixed(next);
        return JsonEquality.same(left, right);
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
