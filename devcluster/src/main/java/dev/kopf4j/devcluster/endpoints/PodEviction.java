package dev.kopf4j.devcluster.endpoints;

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
import java.util.List;
import java.util.Set;
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
        ObjectNode pod = StorageConversion.tree(request.resource(), getVerb.get(request));
        if (!isHarmless(pod)) {
            List<ObjectNode> found = budgets.of(request.namespace(), pod);
            if (found.size() > 1) {
                return new VerbResult(201, severalBudgets());
            }
            found.forEach(budget -> budgets.spend(request, budget, pod));
        }
        DeleteOptions options = DeleteOptions.of(request.request(), eviction.path("deleteOptions"));
        if (!options.dryRun()) {
            podChange.change(request, this::mark);
        }
        deleteVerb.delete(
                request, options, before -> {}); // webhooks are called for the eviction only, not for the deletion
        return SubresourceBody.success();
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
}
