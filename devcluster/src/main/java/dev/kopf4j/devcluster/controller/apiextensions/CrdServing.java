package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Serves the resources of custom resource definitions. Thread-safe. */
final class CrdServing {
    private final ServerContext state;

    CrdServing(ServerContext state) {
        this.state = state;
    }

    /** Serves the resources of a definition, if it is established. */
    void serve(ObjectNode definition) {
        if (StatusConditions.isTrue(definition.path("status"), "Established")) {
            List<Resource> resources = CrdResources.of(definition);
            state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
            serve(definition, resources);
        }
    }

    /** Stops serving the resources of a definition. */
    void withdraw(ObjectNode definition) {
        serve(definition, List.of());
    }

    private void serve(ObjectNode definition, List<Resource> resources) {
        String group = Json.string(definition, "spec", "group");
        state.servedResources().serve(group, Json.string(definition, "spec", "names", "plural"), resources);
    }
}
