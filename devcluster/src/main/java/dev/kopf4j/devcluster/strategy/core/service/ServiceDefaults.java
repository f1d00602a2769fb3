package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The defaults of services: {@code SetDefaults_Service} in {@code pkg/apis/core/v1/defaults.go}, v1.33. Pure. */
final class ServiceDefaults {
    private static final int AFFINITY_SECONDS = 10800;

    private ServiceDefaults() {}

    static void set(ObjectNode service) {
        ObjectNode spec = Json.child(service, "spec");
        setIfEmpty(spec, "sessionAffinity", "None");
        setIfEmpty(spec, "type", "ClusterIP");
        affinity(spec);
        targetPorts(spec);
        ServiceType type = ServiceType.of(spec);
        if (type.isReachedFromOutside(spec)) {
            setIfEmpty(spec, "externalTrafficPolicy", "Cluster");
        }
        if (type != ServiceType.EXTERNAL_NAME && type != ServiceType.UNKNOWN) {
            setIfEmpty(spec, "internalTrafficPolicy", "Cluster");
        }
        if (type == ServiceType.LOAD_BALANCER) {
            balancer(spec, service.path("status"));
        }
    }

    private static void affinity(ObjectNode spec) {
        if (Json.string(spec, "sessionAffinity").equals("ClientIP")) {
            ObjectNode client = Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP");
            if (!client.has("timeoutSeconds")) {
                client.put("timeoutSeconds", AFFINITY_SECONDS);
            }
        }
        if (Json.string(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
    }

    private static void targetPorts(ObjectNode spec) {
        for (JsonNode port : spec.path("ports")) {
            JsonNode target = port.path("targetPort");
            boolean unset = target.isMissingNode()
                    || (target.isNumber() && target.longValue() == 0)
                    || (target.isString() && target.stringValue().isEmpty());
            if (unset && port.has("port")) {
                ((ObjectNode) port).set("targetPort", port.get("port"));
            }
        }
    }

    private static void balancer(ObjectNode spec, JsonNode status) {
        for (JsonNode point : status.path("loadBalancer").path("ingress")) {
            if (!Json.string(point, "ip").isEmpty() && !point.has("ipMode")) {
                ((ObjectNode) point).put("ipMode", "VIP");
            }
        }
        if (!spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
    }

    private static void setIfEmpty(ObjectNode object, String field, String value) {
        if (Json.string(object, field).isEmpty()) {
            object.put(field, value);
        }
    }
}
