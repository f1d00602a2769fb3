package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.json.JsonEquality;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves the resources of custom resource definitions. A change of what a definition says ends the watches on its
 * objects: {@code updateCustomResourceDefinition} in {@code pkg/apiserver/customresource_handler.go} of the
 * apiextensions-apiserver, v1.33. Thread-safe.
 */
final class CrdServing {
    private final ServerContext state;
    private final CrdResources resources;
    private final Map<String, Said> said = new HashMap<>();

    CrdServing(ServerContext state) {
        this.state = state;
        this.resources = new CrdResources(new CrdConverters(state));
    }

    /** What a definition says, by which its resources are served. */
    private record Said(JsonNode spec, JsonNode acceptedNames, boolean terminating) {
        static Said of(ObjectNode definition) {
            JsonNode status = definition.path("status");
            return new Said(
                    definition.path("spec"),
                    status.path("acceptedNames"),
                    StatusConditions.isTrue(status, "Terminating"));
        }

        boolean changesStorage(Said before) {
            return !JsonEquality.same(spec, before.spec) || !JsonEquality.same(acceptedNames, before.acceptedNames);
        }
    }

    /** Serves the resources of a definition, if it is established. */
    synchronized void serve(ObjectNode definition) {
        if (!StatusConditions.isTrue(definition.path("status"), "Established")) {
            return;
        }
        ResourceBucket bucket = bucket(definition);
        Said next = Said.of(definition);
        Said before = said.put(bucket.id(), next);
        boolean changes = before == null || next.changesStorage(before);
        if (changes || next.terminating() != before.terminating()) {
            serve(definition, resources.of(definition));
        }
        if (changes && before != null) {
            state.objectStore().endCursors(bucket);
        }
    }

    private ResourceBucket bucket(ObjectNode definition) {
        return state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
    }

    /** The resource of a definition to manage its objects by: that of the stored version, which may not be served. */
    Resource stored(ObjectNode definition) {
        return resources.stored(definition);
    }

    /** Stops serving the resources of a definition. */
    synchronized void withdraw(ObjectNode definition) {
        serve(definition, List.of());
        if (said.remove(CrdResources.bucket(definition.path("spec"))) != null) {
            state.objectStore().endCursors(bucket(definition));
        }
    }

    private void serve(ObjectNode definition, List<Resource> served) {
        String group = Json.string(definition, "spec", "group");
        state.servedResources().serve(group, Json.string(definition, "spec", "names", "plural"), served);
    }
}
