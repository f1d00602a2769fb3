package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** Changes objects as the server itself does: without webhooks, field managers, or a new generation. Thread-safe. */
final class InternalUpdate {
    private final ServerContext state;
    private final GetVerb getVerb;

    InternalUpdate(ServerContext state, GetVerb getVerb) {
        this.state = state;
        this.getVerb = getVerb;
    }

    /** Changes the object of a request; tries again if another write comes between. */
    void change(ResourceRequest request, Consumer<ObjectNode> edit) {
        Resource resource = request.resource();
        boolean done = false;
        while (!done) {
            StoredObject current = getVerb.get(request);
            ObjectNode object = StorageConversion.tree(resource, current);
            edit.accept(object);
            done = request.dryRun()
                    || state.objectStore()
                                    .replace(state.bucket(resource), current, StorageConversion.store(resource, object))
                            != null;
        }
    }
}
