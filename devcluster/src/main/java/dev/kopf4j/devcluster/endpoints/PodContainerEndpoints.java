package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The endpoints that a kubelet serves for the containers of a pod: {@code LogLocation} and {@code streamLocation} in
 * {@code pkg/registry/core/pod/strategy.go}, v1.33. There is no kubelet, so they answer with failures, but logs of
 * simulated pods with a line. Thread-safe.
 */
final class PodContainerEndpoints implements SubresourceEndpoint {
    static final String LOG = "pods/log";
    static final List<String> CONNECTIONS = List.of("pods/exec", "pods/attach", "pods/portforward");
    private final GetVerb getVerb;

    PodContainerEndpoints(GetVerb getVerb) {
        this.getVerb = getVerb;
    }

    /** Answers with an empty log for a pod without a node, and with failures for all else. */
    @Override
    public ApiResponse answer(ResourceRequest request) {
        JsonNode pod = StorageConversion.tree(request.resource(), getVerb.get(request));
        if (!request.subresource().equals("portforward")) {
            checkContainer(request, pod.path("spec"));
        }
        String node = Json.string(pod, "spec", "nodeName");
        boolean simulated = node.equals(SimulatedNode.NAME);
        if (simulated && request.subresource().equals("log")) {
            return ResponseFactory.text(
                    200, "simulated pod " + request.name() + ": no container runs, so nothing is printed\n");
        }
        if (simulated) {
            throw ApiException.badRequest("pod " + request.name() + " is simulated: no container runs");
        }
        if (!node.isEmpty()) {
            throw ApiException.notFound(new StatusDetails("", "pods", node));
        }
        if (request.subresource().equals("log")) {
            return ResponseFactory.text(200, "");
        }
        throw ApiException.badRequest("pod " + request.name() + " does not have a host assigned");
    }

    private static void checkContainer(ResourceRequest request, JsonNode spec) {
        String container = request.request().parameter("container");
        JsonNode containers = spec.path("containers");
        JsonNode initContainers = spec.path("initContainers");
        if (container.isEmpty() && containers.size() > 1) {
            String initial =
                    initContainers.isEmpty() ? "" : " or one of the init containers: [" + names(initContainers) + "]";
            throw ApiException.badRequest("a container name must be specified for pod " + request.name()
                    + ", choose one of: [" + names(containers) + "]" + initial);
        }
        boolean known = Stream.of(containers, initContainers, spec.path("ephemeralContainers"))
                .flatMap(JsonNode::valueStream)
                .anyMatch(each -> Json.string(each, "name").equals(container));
        if (!container.isEmpty() && !known) {
            throw ApiException.badRequest("container " + container + " is not valid for pod " + request.name());
        }
    }

    private static String names(JsonNode containers) {
        return containers.valueStream().map(each -> Json.string(each, "name")).collect(Collectors.joining(" "));
    }
}
