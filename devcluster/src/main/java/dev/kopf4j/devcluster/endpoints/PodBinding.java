package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts pods on nodes, as schedulers do: {@code BindingREST} in {@code pkg/registry/core/pod/storage/storage.go}, v1.33.
 * Thread-safe.
 */
final class PodBinding {
    static final String PATH = "pods/binding";
    private final ServerContext state;
    private final AdmissionChain admissionChain;
    private final InternalUpdate podChange;

    PodBinding(ServerContext state, AdmissionChain admissionChain, InternalUpdate podChange) {
        this.state = state;
        this.admissionChain = admissionChain;
        this.podChange = podChange;
    }

    VerbResult bind(ResourceRequest request) {
        JsonNode target = admissionChain
                .admitSubresource(request, SubresourceBody.read(request, "Binding", "v1"))
                .path("target");
        String node = Json.string(target, "name");
        if (node.isEmpty()) {
            throw ApiException.plain500("target.name: Required value");
        }
        podChange.change(request, pod -> {
            checkBindable(request.name(), pod);
            Json.child(pod, "spec").put("nodeName", node);
            StatusConditions.set(Json.child(pod, "status"), "PodScheduled", true, "", "", state.now());
        });
        return SubresourceBody.success();
    }

    private static void checkBindable(String name, ObjectNode pod) {
        String node = Json.string(pod, "spec", "nodeName");
        if (pod.path("metadata").has("deletionTimestamp")) {
            throw conflict(name, "is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw conflict(name, "is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw conflict(name, "has non-empty .spec.schedulingGates");
        }
    }

    private static ApiException conflict(String name, String reason) {
        return ApiException.conflict(new StatusDetails("", PATH, name), "pod " + name + " " + reason);
    }
}
