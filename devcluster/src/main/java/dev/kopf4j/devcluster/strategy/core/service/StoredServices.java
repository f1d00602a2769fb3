package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads from the stored services which addresses and ports they have. */
record StoredServices(ObjectStore objectStore) {
    Set<String> addresses() {
        return specs().flatMap(spec -> spec.path("clusterIPs").valueStream())
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
    }

    Set<String> nodePorts() {
        return specs().flatMap(spec -> Stream.concat(
                        spec.path("ports").valueStream().map(port -> port.path("nodePort")),
                        Stream.of(spec.path("healthCheckNodePort"))))
                .filter(JsonNode::isNumber)
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
    }

    private Stream<JsonNode> specs() {
        return objectStore.list(objectStore.bucket("services"), "").objects().stream()
                .map(StoredObject::tree)
                .map(service -> service.path("spec"));
    }
}
