package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.GetAndListVerbs;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What a kubelet would answer on the containers of a pod. There is none, so nobody gets further than that. Thread-safe.
 */
final class PodContainerEndpoints {
    /** What it answers: the names of resources, each with a subresource. */
    private static final Set<String> PATHS = Set.of("pods/log", "pods/exec", "pods/attach", "pods/portforward");

    private final GetAndListVerbs getAndListVerbs;

    PodContainerEndpoints(GetAndListVerbs getAndListVerbs) {
        this.getAndListVerbs = getAndListVerbs;
    }

    /** Whether a call is for containers. */
    static boolean wanted(ResourceRequest resourceRequest) {
        return PATHS.contains(resourceRequest.resource().qualified() + "/" + resourceRequest.subresource());
    }

    /** No log yet for a pod without a node, and refusals for anything else. */
    ApiResponse answer(ResourceRequest resourceRequest) {
        JsonNode pod = StorageConversion.tree(resourceRequest.resource(), getAndListVerbs.get(resourceRequest));
        if (!resourceRequest.subresource().equals("portforward")) {
            checkContainer(resourceRequest, pod.path("spec"));
        }
        String node = Json.string(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            throw ApiException.notFound(new StatusDetails("", "nodes", node));
        }
        if (resourceRequest.subresource().equals("log")) {
            return ResponseFactory.text(200, "");
        }
        throw ApiException.badRequest("pod " + resourceRequest.name() + " does not have a host assigned");
    }

    private static void checkContainer(ResourceRequest resourceRequest, JsonNode spec) {
        String container = resourceRequest.request().parameter("container");
        List<JsonNode> all =
                List.of(spec.path("containers"), spec.path("initContainers"), spec.path("ephemeralContainers"));
        if (container.isEmpty() && spec.path("containers").size() > 1) {
            String initial = spec.path("initContainers").isEmpty()
                    ? ""
                    : " or one of the init containers: [" + names(spec.path("initContainers")) + "]";
            throw ApiException.badRequest("a container name must be specified for pod " + resourceRequest.name()
                    + ", choose one of: [" + names(spec.path("containers")) + "]" + initial);
        }
        boolean known = all.stream()
                .flatMap(JsonNode::valueStream)
                .anyMatch(each -> Json.string(each, "name").equals(container));
        if (!container.isEmpty() && !known) {
            throw ApiException.badRequest("container " + container + " is not valid for pod " + resourceRequest.name());
        }
    }

    private static String names(JsonNode containers) {
        return containers.valueStream().map(each -> Json.string(each, "name")).collect(Collectors.joining(" "));
    }
}
