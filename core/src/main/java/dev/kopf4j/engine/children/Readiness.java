package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * When objects of the common kinds are ready, by the rules of {@code kubectl rollout status} and of the kinds'
 * documentation; of other kinds, when their conditions say so, if they have any. Pure.
 *
 * @see <a href="https://github.com/kubernetes-sigs/cli-utils/tree/master/pkg/kstatus">kstatus, whose conditions these
 *     are</a>
 */
public final class Readiness {
    /** Kinds that have no state of their own: what exists is ready, and nobody need see its content. */
    private static final Set<String> ALWAYS_READY = Set.of(
            "/configmaps",
            "/secrets",
            "/serviceaccounts",
            "/limitranges",
            "rbac.authorization.k8s.io/roles",
            "rbac.authorization.k8s.io/rolebindings",
            "rbac.authorization.k8s.io/clusterroles",
            "rbac.authorization.k8s.io/clusterrolebindings",
            "networking.k8s.io/networkpolicies",
            "networking.k8s.io/ingressclasses",
            "scheduling.k8s.io/priorityclasses",
            "storage.k8s.io/storageclasses",
            "admissionregistration.k8s.io/validatingwebhookconfigurations",
            "admissionregistration.k8s.io/mutatingwebhookconfigurations");

    private Readiness() {}

    static boolean isAlwaysReady(Resource resource) {
        return ALWAYS_READY.contains(resource.group() + "/" + resource.plural());
    }

    /** What the object lacks, in words for people; null if it is ready. */
    public static @Nullable String trouble(Resource resource, ObjectNode body) {
        if (isAlwaysReady(resource)) {
            return null;
        }
        if (isOutdated(body, body.path("status"))) {
            return "its controller has not seen the last change";
        }
        return rule(resource.group() + "/" + resource.kind()).apply(body);
    }

    private static Function<ObjectNode, @Nullable String> rule(String kind) {
        return switch (kind) {
            case "apps/Deployment" -> WorkloadReadiness::ofDeployment;
            case "apps/StatefulSet" -> WorkloadReadiness::ofStatefulSet;
            case "apps/DaemonSet" -> WorkloadReadiness::ofDaemonSet;
            case "apps/ReplicaSet", "/ReplicationController" -> WorkloadReadiness::ofReplicaSet;
            case "batch/Job" -> WorkloadReadiness::ofJob;
            case "/Pod" -> WorkloadReadiness::ofPod;
            case "/PersistentVolumeClaim" -> body -> phase(body, "Bound");
            case "/Namespace" -> body -> phase(body, "Active");
            case "/Service" -> Readiness::ofService;
            case "apiextensions.k8s.io/CustomResourceDefinition" -> body -> condition(body, "Established");
            case "apiregistration.k8s.io/APIService" -> body -> condition(body, "Available");
            default -> Readiness::ofOthers;
        };
    }

    private static boolean isOutdated(ObjectNode body, JsonNode said) {
        JsonNode observed = said.path("observedGeneration");
        return observed.isNumber()
                && observed.asLong(Long.MAX_VALUE)
                        < body.path("metadata").path("generation").asLong(0);
    }

    private static @Nullable String phase(ObjectNode body, String expected) {
        String phase = body.path("status").path("phase").asString("");
        return phase.equals(expected) ? null : "its phase is " + (phase.isEmpty() ? "not known yet" : phase);
    }

    private static @Nullable String ofService(ObjectNode body) {
        boolean balanced = body.path("spec").path("type").asString("").equals("LoadBalancer");
        boolean waits = balanced
                && body.path("status").path("loadBalancer").path("ingress").isEmpty();
        return waits ? "its load balancer has no address yet" : null;
    }

    private static @Nullable String condition(ObjectNode body, String type) {
        JsonNode found = find(body, type);
        return isTrue(found) ? null : lacking(type, found);
    }

    private static @Nullable String ofOthers(ObjectNode body) {
        for (String trouble : List.of("Stalled", "Reconciling")) {
            JsonNode found = find(body, trouble);
            if (isTrue(found)) {
                return lacking(trouble, found);
            }
        }
        JsonNode ready = find(body, "Ready");
        if (ready == null) {
            return null;
        }
        return isOutdated(body, ready)
                ? "its condition Ready is not about the last change yet"
                : condition(body, "Ready");
    }

    /** Why an object is not ready, by a condition of it. */
    static String lacking(String type, @Nullable JsonNode condition) {
        return "its condition " + type + " is " + (condition == null ? "not known yet" : describe(condition));
    }

    /** A condition of an object; null if it does not have it. */
    static @Nullable JsonNode find(ObjectNode body, String type) {
        for (JsonNode condition : body.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals(type)) {
                return condition;
            }
        }
        return null;
    }

    static boolean isTrue(@Nullable JsonNode condition) {
        return condition != null && condition.path("status").asString("").equals("True");
    }

    /** The status of a condition with its reason and message. */
    static String describe(JsonNode condition) {
        String status = condition.path("status").asString("Unknown");
        String reason = condition.path("reason").asString("");
        String message = condition.path("message").asString("");
        return status + (reason.isEmpty() ? "" : " (" + reason + ")") + (message.isEmpty() ? "" : ": " + message);
    }

    /** When workloads are ready: rolled out, or complete. Pure. */
    private static final class WorkloadReadiness {
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
            boolean stuck = progressing != null
                    && progressing.path("reason").asString("").equals("ProgressDeadlineExceeded");
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
}
