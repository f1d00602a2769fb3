package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ResourceRequest;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The metadata that the server gives new objects: {@code BeforeCreate} in {@code pkg/registry/rest/create.go} of the
 * apiserver library, v1.33.
 */
final class NewObjectMetadata {
    private static final List<String> NOT_OF_CLIENTS =
            List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink");

    private NewObjectMetadata() {}

    static void set(ResourceRequest request, ServerContext state, ObjectNode metadata) {
        String base = Json.string(metadata, "generateName");
        if (Json.string(metadata, "name").isEmpty() && !base.isEmpty()) {
            metadata.put("name", state.nameGenerator().name(base));
        }
        if (request.resource().namespaced()) {
            metadata.put("namespace", request.namespace());
        }
        metadata.put("uid", state.nameGenerator().uid()).put("creationTimestamp", state.now());
        metadata.remove(NOT_OF_CLIENTS);
        if (request.resource().resourceTraits().generation()) {
            metadata.put("generation", 1);
        }
    }
}
