package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.registry.write.UpdateVerb;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Evictions: deletions of pods that disruption budgets may forbid, see
 * {@code pkg/registry/core/pod/storage/eviction.go}, v1.33. Thread-safe.
 */
final class PodEviction {
    static final String PATH = "pods/eviction";

    /** Evicting pods in these phases is no disruption. */
    private static final Set<String> HARMLESS = Set.of("Succeeded", "Failed", "Pending");

    private final ServerContext state;
    private final GetVerb getVerb;
    private final DeleteVerb deleteVerb;
    private final AdmissionChain admissionChain;
    private final InternalUpdate podChange;
    private final DisruptionBudgets budgets;

    PodEviction(
            ServerContext state,
            GetVerb getVerb,
            UpdateVerb updateVerb,
            DeleteVerb deleteVerb,
            AdmissionChain admissionChain,
            InternalUpdate podChange) {
        this.state = state;
        this.getVerb = getVerb;
        this.deleteVerb = deleteVerb;
        this.admissionChain = admissionChain;
        this.podChange = podChange;
        this.budgets = new DisruptionBudgets(state, updateVerb);
    }

    VerbResult evict(ResourceRequest request) {
        ObjectNode sent = SubresourceBody.read(request, "Eviction", "policy/v1");
        ObjectNode eviction = admissionChain.admitSubresource(request, sent);
        DeleteOptions given = DeleteOptions.of(eviction.path("deleteOptions"));
        DeleteOptions options = request.dryRun() ? given.withoutEffect() : given;
        ObjectNode pod = StorageConversion.tree(request.resource(), getVerb.get(request));
        if (!isHarmless(pod)) {
            List<ObjectNode> found = budgets.of(request.namespace(), pod);
            if (found.size() > 1) {
                return new VerbResult(201, severalBudgets());
            }
            found.forEach(budget -> budgets.spend(request, budget, pod, options.dryRun()));
        }
        // webhooks are called for the eviction only, not for the deletion
        deleteVerb.delete(request, options.dryRun() ? options : marked(request, options), before -> {});
        return SubresourceBody.success();
    }

    /** Marks the pod; the version that the client wants is that before the mark. */
    private DeleteOptions marked(ResourceRequest request, DeleteOptions options) {
        StoredObject marked = podChange.change(
                request, current -> DeleteVerb.checkPreconditions(request, options, current), this::mark);
        return options.version().isEmpty() ? options : options.at(String.valueOf(marked.version()));
    }

    private static boolean isHarmless(ObjectNode pod) {
        return HARMLESS.contains(Json.string(pod, "status", "phase"))
                || pod.path("metadata").has("deletionTimestamp");
    }

    private static ObjectNode severalBudgets() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        String message =
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        return status.put("status", "Failure").put("message", message).put("code", 500);
    }

    /** Tells on the pod why it goes (KEP-3329). */
    private void mark(ObjectNode pod) {
        StatusConditions.set(
                Json.child(pod, "status"),
                "DisruptionTarget",
                true,
                "EvictionByEvictionAPI",
                "Eviction API: evicting",
                state.now());
    }

    /**
     * Asks disruption budgets whether they allow an eviction: {@code checkAndDecrement} in
     * {@code pkg/registry/core/pod/storage/eviction.go}, v1.33. No controller computes the status of budgets here.
     * Thread-safe.
     */
    private static final class DisruptionBudgets {
        private static final String FORBIDDEN = "Cannot evict pod as it would violate the pod's disruption budget.";
        private final ServerContext state;
        private final UpdateVerb updateVerb;

        DisruptionBudgets(ServerContext state, UpdateVerb updateVerb) {
            this.state = state;
            this.updateVerb = updateVerb;
        }

        private Resource resource() {
            return state.servedResources()
                    .find("policy", "v1", "poddisruptionbudgets")
                    .orElseThrow();
        }

        /** The budgets that select a pod. */
        List<ObjectNode> of(String namespace, ObjectNode pod) {
            JsonNode labels = pod.path("metadata").path("labels");
            if (labels.isEmpty()) {
                return List.of();
            }
            Resource resource = resource();
            return state.objectStore().list(state.bucket(resource), namespace).objects().stream()
                    .map(stored -> StorageConversion.tree(resource, stored))
                    .filter(budget -> selects(budget.path("spec").path("selector"), labels))
                    .toList();
        }

        private static boolean selects(JsonNode selector, JsonNode labels) {
            return selector.isObject() && LabelSelector.of(selector).matches(labels);
        }

        /**
         * Takes one of the disruptions that a budget allows, or refuses the eviction; a pod that is not ready does not
         * count.
         */
        void spend(ResourceRequest request, ObjectNode budget, ObjectNode pod, boolean dryRun) {
            JsonNode status = budget.path("status");
            long desired = status.path("desiredHealthy").longValue(0);
            long current = status.path("currentHealthy").longValue(0);
            boolean always =
                    Json.string(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
            boolean ready = StatusConditions.isTrue(pod.path("status"), "Ready");
            if (!ready && (always || (current >= desired && desired > 0))) {
                return;
            }
            String name = Json.string(budget, "metadata", "name");
            long seen = status.path("observedGeneration").longValue(0);
            if (seen < budget.path("metadata").path("generation").longValue(0)) {
                throw refused(10, "The disruption budget " + name + " is still being processed by the server.");
            }
            long allowed = status.path("disruptionsAllowed").longValue(0);
            if (allowed < 0) {
                throw ApiException.forbidden(
                        new StatusDetails("policy", "poddisruptionbudget", name),
                        "pdb disruptions allowed is negative",
                        List.of(),
                        "");
            }
            if (allowed == 0) {
                throw refused(
                        0,
                        "The disruption budget " + name + " needs " + desired + " healthy pods and has " + current
                                + " currently");
            }
            if (!dryRun) {
                take(request, name);
            }
        }

        private static ApiException refused(long retryAfterSeconds, String cause) {
            ObjectNode details = Json.object();
            details.putArray("causes")
                    .addObject()
                    .put("reason", "DisruptionBudget")
                    .put("message", cause);
            if (retryAfterSeconds > 0) {
                details.put("retryAfterSeconds", retryAfterSeconds);
            }
            return ApiException.of(429, "TooManyRequests", FORBIDDEN, details, true);
        }

        private void take(ResourceRequest eviction, String name) {
            ApiRequest request = new ApiRequest(
                    "PUT",
                    "/",
                    eviction.request().query(),
                    Map.of("user-agent", "kube-apiserver"),
                    new byte[0],
                    eviction.request().identity());
            ResourceRequest own =
                    new ResourceRequest(request, resource(), eviction.namespace(), name, "status", UserInfo.ADMIN);
            updateVerb.change(own, budget -> {
                ObjectNode status = Json.child(budget, "status");
                long left = status.path("disruptionsAllowed").longValue(0) - 1;
                status.put("disruptionsAllowed", left);
                Json.child(status, "disruptedPods").put(eviction.name(), state.now());
                if (left == 0) {
                    StatusConditions.set(status, "DisruptionAllowed", false, "InsufficientPods", "", state.now())
                            .set("observedGeneration", status.path("observedGeneration"));
                }
                return budget;
            });
        }
    }
}
