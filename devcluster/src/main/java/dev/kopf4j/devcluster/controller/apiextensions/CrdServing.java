package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Serves the resources of custom resource definitions. Thread-safe. */
final class CrdServing {
    private final ServerContext state;
    private final CrdResources resources;

    CrdServing(ServerContext state) {
        this.state = state;
        this.resources = new CrdResources(new CrdConverters(state));
    }

    /** Serves the resources of a definition, if it is established. */
    void serve(ObjectNode definition) {
        if (StatusConditions.isTrue(definition.path("status"), "Established")) {
            state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
            serve(definition, resources.of(definition));
        }
    }

    /** The resource of a definition to manage its objects by: that of the stored version, if it is served. */
    Optional<Resource> stored(ObjectNode definition) {
        List<Resource> served = resources.of(definition);
        return served.stream()
                .filter(Resource::isStored)
                .findFirst()
                .or(() -> served.stream().findFirst());
    }

    /** Stops serving the resources of a definition. */
    void withdraw(ObjectNode definition) {
        serve(definition, List.of());
    }

    private void serve(ObjectNode definition, List<Resource> served) {
        String group = Json.string(definition, "spec", "group");
        state.servedResources().serve(group, Json.string(definition, "spec", "names", "plural"), served);
    }
}
