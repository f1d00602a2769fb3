package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.GetAndListVerbs;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.UpdateVerb;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Evictions: deletions of pods that disruption budgets may forbid, as {@code registry/core/pod/storage/eviction.go} of
 * Kubernetes v1.33. Nobody computes the status of budgets here. Thread-safe.
 */
final class PodEviction {
    private static final String FORBIDDEN = "Cannot evict pod as it would violate the pod's disruption budget.";
    private static final Set<String> HARMLESS = Set.of("Succeeded", "Failed", "Pending");
    private final ServerContext state;
    private final GetAndListVerbs getAndListVerbs;
    private final UpdateVerb updateVerb;
    private final DeleteVerb deleteVerb;
    private final AdmissionChain admissionChain;

    PodEviction(
            ServerContext state,
            GetAndListVerbs getAndListVerbs,
            UpdateVerb updateVerb,
            DeleteVerb deleteVerb,
            AdmissionChain admissionChain) {
        this.state = state;
        this.getAndListVerbs = getAndListVerbs;
        this.updateVerb = updateVerb;
        this.deleteVerb = deleteVerb;
        this.admissionChain = admissionChain;
    }

    VerbResult evict(ResourceRequest resourceRequest) {
        ObjectNode eviction = BindingAndTokenRequests.sent(resourceRequest, "Eviction", "policy/v1");
        admissionChain.admitSubresource(resourceRequest, eviction);
        ObjectNode pod = StorageConversion.tree(resourceRequest.resource(), getAndListVerbs.get(resourceRequest));
        if (!harmless(pod)) {
            List<ObjectNode> budgets = budgets(resourceRequest, pod);
            if (budgets.size() > 1) {
                return new VerbResult(201, severalBudgets());
            }
            budgets.forEach(budget -> spend(resourceRequest, budget, pod));
        }
        if (!DeleteOptions.of(resourceRequest.request()).dryRun()) {
            mark(resourceRequest);
        }
        deleteVerb.delete(resourceRequest, before -> {}); // hooks on evictions have seen it, those on deletions do not
        return new VerbResult(201, BindingAndTokenRequests.success());
    }

    private static boolean harmless(ObjectNode pod) {
        return HARMLESS.contains(Json.string(pod, "status", "phase"))
                || pod.path("metadata").has("deletionTimestamp");
    }

    private Resource budgetResource() {
        return state.servedResources()
                .find("policy", "v1", "poddisruptionbudgets")
                .orElseThrow();
    }

    private List<ObjectNode> budgets(ResourceRequest resourceRequest, ObjectNode pod) {
        JsonNode labels = pod.path("metadata").path("labels");
        List<ObjectNode> budgets = new ArrayList<>();
        if (labels.isEmpty()) {
            return budgets;
        }
        Resource resource = budgetResource();
        state.objectStore()
                .list(state.bucket(resource), resourceRequest.namespace())
                .objects()
                .forEach(stored -> {
                    ObjectNode budget = StorageConversion.tree(resource, stored);
                    JsonNode selector = budget.path("spec").path("selector");
                    if (selector.isObject() && LabelSelector.of(selector).matches(labels)) {
                        budgets.add(budget);
                    }
                });
        return budgets;
    }

    private static ObjectNode severalBudgets() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        String message =
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        return status.put("status", "Failure").put("message", message).put("code", 500);
    }

    /** Takes one of the disruptions that a budget allows; pods that are not ready may go for free. */
    private void spend(ResourceRequest resourceRequest, ObjectNode budget, ObjectNode pod) {
        JsonNode status = budget.path("status");
        long desired = status.path("desiredHealthy").longValue(0);
        long current = status.path("currentHealthy").longValue(0);
        boolean always =
                Json.string(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
        if (!isReady(pod) && (always || (current >= desired && desired > 0))) {
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
        take(resourceRequest, name);
    }

    private static boolean isReady(ObjectNode pod) {
        return pod.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> Json.string(condition, "type").equals("Ready")
                        && Json.string(condition, "status").equals("True"));
    }

    private static ApiException refused(long retryAfterSeconds, String cause) {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("reason", "DisruptionBudget").put("message", cause);
        if (retryAfterSeconds > 0) {
            details.put("retryAfterSeconds", retryAfterSeconds);
        }
        return ApiException.of(429, "TooManyRequests", FORBIDDEN, details, true);
    }

    private void take(ResourceRequest resourceRequest, String name) {
        ApiRequest request = new ApiRequest(
                "PUT",
                "/",
                resourceRequest.request().query(),
                Map.of("user-agent", "kube-apiserver"),
                new byte[0],
                resourceRequest.request().identity());
        ResourceRequest own = new ResourceRequest(
                request, budgetResource(), resourceRequest.namespace(), name, "status", UserInfo.ADMIN);
        updateVerb.change(own, budget -> {
            ObjectNode status = Json.child(budget, "status");
            long left = status.path("disruptionsAllowed").longValue(0) - 1;
            status.put("disruptionsAllowed", left);
            Json.child(status, "disruptedPods").put(resourceRequest.name(), state.now());
            if (left == 0) {
                condition(status, "DisruptionAllowed", false, "InsufficientPods", "")
                        .set("observedGeneration", status.path("observedGeneration"));
            }
            return budget;
        });
    }

    /** Says on the pod why it goes. */
    private void mark(ResourceRequest resourceRequest) {
        String message = "Eviction API: evicting";
        BindingAndTokenRequests.change(
                state,
                getAndListVerbs,
                resourceRequest,
                pod -> condition(
                        Json.child(pod, "status"), "DisruptionTarget", true, "EvictionByEvictionAPI", message));
    }

    private ObjectNode condition(ObjectNode status, String type, boolean truth, String reason, String message) {
        return BindingAndTokenRequests.condition(status, type, truth ? "True" : "False", reason, message, state.now());
    }
}
