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

    /** {@code EvictionsRetry}, without its waits. */
    private static final int ATTEMPTS = 20;

    private static final int CONFLICT = 409;

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
        for (int attempt = 1; ; attempt++) {
            StoredObject object = getVerb.get(request);
            ObjectNode pod = StorageConversion.tree(request.resource(), object);
            if (!isHarmless(pod)) {
                return evictWithinBudget(request, options, object, pod);
            }
            try {
                delete(request, mayBecomeReady(pod) && options.version().isEmpty() ? at(options, object) : options);
                return SubresourceBody.success();
            } catch (ApiException e) {
                if (e.code() != CONFLICT || !options.version().isEmpty() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private VerbResult evictWithinBudget(
            ResourceRequest request, DeleteOptions options, StoredObject object, ObjectNode pod) {
        List<ObjectNode> found = budgets.of(request.namespace(), pod);
        if (found.size() > 1) {
            return new VerbResult(201, severalBudgets());
        }
        if (found.isEmpty() || budgets.spend(request, found.getFirst(), pod, options.dryRun())) {
            delete(request, options);
            return SubresourceBody.success();
        }
        try {
            delete(request, at(options, object));
        } catch (ApiException e) {
            throw e.code() == CONFLICT && options.version().isEmpty()
                    ? DisruptionBudgets.beingProcessed(Json.string(found.getFirst(), "metadata", "name"))
                    : e;
        }
        return SubresourceBody.success();
    }

    /** The pod as it was seen: it may have become ready meanwhile, and its budget has not been asked. */
    private static DeleteOptions at(DeleteOptions options, StoredObject seen) {
        return options.at(String.valueOf(seen.version()));
    }

    /** Webhooks are called for the eviction only, not for the deletion. */
    private void delete(ResourceRequest request, DeleteOptions options) {
        deleteVerb.delete(request, options.dryRun() ? options : marked(request, options), before -> {});
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

    /** {@code shouldEnforceResourceVersion}, of those that are harmless. */
    private static boolean mayBecomeReady(ObjectNode pod) {
        return Json.string(pod, "status", "phase").equals("Pending")
                && !pod.path("metadata").has("deletionTimestamp");
    }

    private static ObjectNode severalBudgets() {
        String message =
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        return ApiException.statusOf("Failure").put("message", message).put("code", 500);
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
        private static final int MOST_DISRUPTED = 2000;
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
         * Takes one of the disruptions that a budget allows, or refuses the eviction; false if the pod does not count,
         * as it is not ready.
         */
        boolean spend(ResourceRequest request, ObjectNode budget, ObjectNode pod, boolean dryRun) {
            JsonNode status = budget.path("status");
            long desired = status.path("desiredHealthy").longValue(0);
            long current = status.path("currentHealthy").longValue(0);
            boolean always =
                    Json.string(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
            boolean ready = StatusConditions.isTrue(pod.path("status"), "Ready");
            if (!ready && (always || (current >= desired && desired > 0))) {
                return false;
            }
            if (dryRun) {
                check(budget);
            } else {
                take(request, Json.string(budget, "metadata", "name"));
            }
            return true;
        }

        /** Refuses an eviction that a budget does not allow at present. */
        private static void check(JsonNode budget) {
            JsonNode status = budget.path("status");
            String name = Json.string(budget, "metadata", "name");
            long seen = status.path("observedGeneration").longValue(0);
            if (seen < budget.path("metadata").path("generation").longValue(0)) {
                throw beingProcessed(name);
            }
            long allowed = status.path("disruptionsAllowed").longValue(0);
            if (allowed < 0) {
                throw forbidden(name, "pdb disruptions allowed is negative");
            }
            if (status.path("disruptedPods").size() > MOST_DISRUPTED) {
                throw forbidden(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
            }
            if (allowed == 0) {
                throw refused(
                        0,
                        "The disruption budget " + name + " needs "
                                + status.path("desiredHealthy").longValue(0) + " healthy pods and has "
                                + status.path("currentHealthy").longValue(0) + " currently");
            }
        }

        private static ApiException forbidden(String name, String message) {
            return ApiException.forbidden(
                    new StatusDetails("policy", "poddisruptionbudget", name), message, List.of(), "");
        }

        static ApiException beingProcessed(String name) {
            return refused(10, "The disruption budget " + name + " is still being processed by the server.");
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

        /** Another eviction may come between: then the budget is asked again. */
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
                check(budget);
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
