package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
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

    /** The names of all types, as messages list them. */
    static final List<String> NAMES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");

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
}
