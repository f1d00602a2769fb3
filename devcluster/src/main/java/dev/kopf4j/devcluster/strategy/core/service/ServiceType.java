package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The types of services ({@code spec.type}). */
enum ServiceType {
    CLUSTER_IP("ClusterIP"),
    EXTERNAL_NAME("ExternalName"),
    LOAD_BALANCER("LoadBalancer"),
    NODE_PORT("NodePort"),
    /** A type that does not exist; validation refuses it. */
    UNKNOWN("");

    private final String word;

    ServiceType(String word) {
        this.word = word;
    }

    static ServiceType of(JsonNode spec) {
        String word = Json.string(spec, "type");
        return Stream.of(values())
                .filter(type -> type.word.equals(word))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Whether such services have node ports. */
    boolean isExposed() {
        return this == NODE_PORT || this == LOAD_BALANCER;
    }

    /** Whether such services have a cluster IP. */
    boolean hasClusterIp() {
        return this != EXTERNAL_NAME;
    }

    /** Whether a service of this type can be reached from outside: {@code ExternallyAccessible} in Kubernetes. */
    boolean isReachedFromOutside(JsonNode spec) {
        return isExposed() || (this == CLUSTER_IP && !spec.path("externalIPs").isEmpty());
    }

    /** Whether balancers ask each node for the health of such a service: {@code NeedsHealthCheck} in Kubernetes. */
    boolean checksHealth(JsonNode spec) {
        return this == LOAD_BALANCER
                && Json.string(spec, "externalTrafficPolicy").equals("Local");
    }

    /** Whether a service has no address on purpose. */
    static boolean isHeadless(JsonNode spec) {
        JsonNode addresses = spec.path("clusterIPs");
        return addresses.size() == 1 && addresses.path(0).stringValue("").equals("None");
    }
}
