package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.show.Responses;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Subject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What a kubelet would answer on the containers of a pod. There is none, so nobody gets further than that. Thread-safe.
 */
final class Containers {
    private static final Set<String> ENDPOINTS = Set.of("log", "exec", "attach", "portforward");
    private final Reading reading;

    Containers(Reading reading) {
        this.reading = reading;
    }

    /** Whether a call is for containers. */
    static boolean wanted(Call call) {
        return call.resource().bucket().equals("pods") && ENDPOINTS.contains(call.subresource());
    }

    /** No log yet for a pod without a node, and refusals for anything else. */
    ApiResponse answer(Call call) {
        JsonNode pod = Shown.tree(call.resource(), reading.get(call));
        if (!call.subresource().equals("portforward")) {
            checkContainer(call, pod.path("spec"));
        }
        String node = Json.string(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            throw ApiException.notFound(new Subject("", "nodes", node));
        }
        if (call.subresource().equals("log")) {
            return Responses.text(200, "");
        }
        throw ApiException.badRequest("pod " + call.name() + " does not have a host assigned");
    }

    private static void checkContainer(Call call, JsonNode spec) {
        String container = call.request().parameter("container");
        List<JsonNode> all =
                List.of(spec.path("containers"), spec.path("initContainers"), spec.path("ephemeralContainers"));
        if (container.isEmpty() && spec.path("containers").size() > 1) {
            String initial = spec.path("initContainers").isEmpty()
                    ? ""
                    : " or one of the init containers: [" + names(spec.path("initContainers")) + "]";
            throw ApiException.badRequest("a container name must be specified for pod " + call.name()
                    + ", choose one of: [" + names(spec.path("containers")) + "]" + initial);
        }
        boolean known = all.stream()
                .flatMap(JsonNode::valueStream)
                .anyMatch(each -> Json.string(each, "name").equals(container));
        if (!container.isEmpty() && !known) {
            throw ApiException.badRequest("container " + container + " is not valid for pod " + call.name());
        }
    }

    private static String names(JsonNode containers) {
        return containers.valueStream().map(each -> Json.string(each, "name")).collect(Collectors.joining(" "));
    }
}
