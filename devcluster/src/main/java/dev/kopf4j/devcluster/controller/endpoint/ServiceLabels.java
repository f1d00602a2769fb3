package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.json.Json;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The labels of slices and Endpoints: those of the service, and a few of their own. {@code setEndpointSliceLabels} in
 * {@code utils.go} of {@code k8s.io/endpointslice}, and {@code syncService} in
 * {@code pkg/controller/endpoint/endpoints_controller.go}, v1.33. Pure.
 */
final class ServiceLabels {
    static final String SERVICE = "kubernetes.io/service-name";
    static final String SLICE_MANAGER = "endpointslice.kubernetes.io/managed-by";
    static final String SLICE_CONTROLLER = "endpointslice-controller.k8s.io";
    private static final String HEADLESS = "service.kubernetes.io/headless";
    private static final Set<String> RESERVED = Set.of(SERVICE, SLICE_MANAGER, HEADLESS);

    private ServiceLabels() {}

    static ObjectNode ofSlice(JsonNode service) {
        return inherited(service)
                .put(SLICE_MANAGER, SLICE_CONTROLLER)
                .put(SERVICE, Json.string(service, "metadata", "name"));
    }

    static ObjectNode ofEndpoints(JsonNode service) {
        return inherited(service).put("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    }

    private static ObjectNode inherited(JsonNode service) {
        ObjectNode labels = Json.object();
        service.path("metadata").path("labels").properties().forEach(label -> {
            if (!RESERVED.contains(label.getKey())) {
                labels.set(label.getKey(), label.getValue());
            }
        });
        String address = Json.string(service, "spec", "clusterIP");
        return address.isEmpty() || address.equals("None") ? labels.put(HEADLESS, "") : labels;
    }
}
