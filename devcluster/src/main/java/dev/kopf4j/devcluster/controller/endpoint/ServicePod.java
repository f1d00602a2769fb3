package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod behind a service: {@code podToEndpoint} and {@code getEndpointPorts} in {@code utils.go} of
 * {@code k8s.io/endpointslice}, and {@code FindPort} in {@code pkg/api/v1/pod/util.go}, v1.33. Immutable.
 */
record ServicePod(JsonNode service, JsonNode pod) {
    /** Whether the pod can be an endpoint: it has an address, and has not ended. */
    boolean counts() {
        return !address().isEmpty() && !PodTemplate.hasEnded(pod);
    }

    String address() {
        return Json.string(pod, "status", "podIP");
    }

    boolean isTerminating() {
        return pod.path("metadata").has("deletionTimestamp");
    }

    boolean isReady() {
        return publishesAll() || (PodTemplate.isReady(pod) && !isTerminating());
    }

    boolean publishesAll() {
        return service.path("spec").path("publishNotReadyAddresses").booleanValue(false);
    }

    /** The endpoint in a slice. */
    ObjectNode endpoint() {
        ObjectNode endpoint = Json.object();
        endpoint.putArray("addresses").add(address());
        endpoint.putObject("conditions")
                .put("ready", isReady())
                .put("serving", PodTemplate.isReady(pod))
                .put("terminating", isTerminating());
        hostname().ifPresent(name -> endpoint.put("hostname", name));
        endpoint.set("targetRef", reference());
        String node = Json.string(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            endpoint.put("nodeName", node);
        }
        return endpoint;
    }

    /** The address in an Endpoints object. */
    ObjectNode endpointAddress() {
        ObjectNode address = Json.object().put("ip", address());
        hostname().ifPresent(name -> address.put("hostname", name));
        String node = Json.string(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            address.put("nodeName", node);
        }
        address.set("targetRef", reference());
        return address;
    }

    private ObjectNode reference() {
        return Json.object()
                .put("kind", "Pod")
                .put("namespace", Json.string(pod, "metadata", "namespace"))
                .put("name", Json.string(pod, "metadata", "name"))
                .put("uid", Json.string(pod, "metadata", "uid"));
    }

    private Optional<String> hostname() {
        String name = Json.string(pod, "spec", "hostname");
        return !name.isEmpty() && Json.string(pod, "spec", "subdomain").equals(Json.string(service, "metadata", "name"))
                ? Optional.of(name)
                : Optional.empty();
    }

    /** The ports of the service as the pod has them; one whose name no container has is left out. */
    ArrayNode ports() {
        ArrayNode ports = Json.array();
        for (JsonNode port : service.path("spec").path("ports")) {
            long number = number(port);
            if (number > 0) {
                ObjectNode shown = ports.addObject()
                        .put("name", Json.string(port, "name"))
                        .put("port", number)
                        .put("protocol", protocol(port));
                if (port.has("appProtocol")) {
                    shown.set("appProtocol", port.path("appProtocol"));
                }
            }
        }
        return ports;
    }

    private static String protocol(JsonNode port) {
        String protocol = Json.string(port, "protocol");
        return protocol.isEmpty() ? "TCP" : protocol;
    }

    private long number(JsonNode port) {
        JsonNode target = port.path("targetPort");
        if (target.isNumber() && target.longValue() > 0) {
            return target.longValue();
        }
        if (!target.isString() || target.stringValue().isEmpty()) {
            return port.path("port").longValue(0);
        }
        return pod.path("spec")
                .path("containers")
                .valueStream()
                .flatMap(container -> container.path("ports").valueStream())
                .filter(each -> Json.string(each, "name").equals(target.stringValue())
                        && protocol(each).equals(protocol(port)))
                .mapToLong(each -> each.path("containerPort").longValue(0))
                .findFirst()
                .orElse(0);
    }
}
