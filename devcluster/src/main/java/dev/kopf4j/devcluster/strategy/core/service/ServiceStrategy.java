package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code SetDefaults_Service} in {@code pkg/apis/core/v1/defaults.go}, addresses and ports by
 * {@code pkg/registry/core/service/storage/alloc.go}, v1.33. Thread-safe.
 */
public final class ServiceStrategy implements ResourceStrategy {
    private static final int AFFINITY_SECONDS = 10800;
    private final ClusterIpAllocator addresses = new ClusterIpAllocator();
    private final NodePortAllocator nodePorts = new NodePortAllocator();

    /** A strategy with addresses and ports of its own. */
    public ServiceStrategy() {}

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        setIfEmpty(spec, "sessionAffinity", "None");
        setIfEmpty(spec, "type", "ClusterIP");
        affinity(spec);
        ObjectNode before = draft.before();
        if (before != null) {
            ServiceTypeTransition.carryOver(before.path("spec"), spec);
        }
        ServiceType type = ServiceType.of(spec);
        ports(spec, type);
        if (type.hasClusterIp()) {
            setIfEmpty(spec, "internalTrafficPolicy", "Cluster");
            addresses.assign(spec);
        } else {
            spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"));
        }
        if (type.isExposed()) {
            setIfEmpty(spec, "externalTrafficPolicy", "Cluster");
        }
        if (type == ServiceType.LOAD_BALANCER) {
            balancer(spec, draft.next().path("status"));
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

    private static void balancer(ObjectNode spec, JsonNode status) {
        for (JsonNode point : status.path("loadBalancer").path("ingress")) {
            if (point.has("ip") && !point.has("ipMode")) {
                ((ObjectNode) point).put("ipMode", "VIP");
            }
        }
        if (!spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
    }

    private void ports(ObjectNode spec, ServiceType type) {
        for (JsonNode each : spec.path("ports")) {
            ObjectNode port = (ObjectNode) each;
            JsonNode target = port.path("targetPort");
            boolean unset = target.isMissingNode()
                    || (target.isNumber() && target.longValue() == 0)
                    || (target.isString() && target.stringValue().isEmpty());
            if (unset && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
            if (type.isExposed() && port.path("nodePort").longValue(0) == 0) {
                port.put("nodePort", nodePorts.next());
            }
        }
    }

    /** Sets a field that has no value. */
    static void setIfEmpty(ObjectNode object, String field, String value) {
        if (Json.string(object, field).isEmpty()) {
            object.put(field, value);
        }
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return draft.subresource().isEmpty() ? AddressWarnings.of(draft.next()) : List.of();
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ServiceValidation.check(draft, checks);
    }
}
