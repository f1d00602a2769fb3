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
        var _ = change(request, current -> {}, edit);
    }

    /**
     * The same.
     *
     * @param check may refuse the stored state
     * @return the new state
     */
    StoredObject change(ResourceRequest request, Consumer<StoredObject> check, Consumer<ObjectNode> edit) {
        Resource resource = request.resource();
        while (true) {
            StoredObject current = getVerb.get(request);
            check.accept(current);
            ObjectNode object = StorageConversion.tree(resource, current);
            edit.accept(object);
            StoredObject next = StorageConversion.store(resource, object);
            StoredObject stored =
                    request.dryRun() ? current : state.objectStore().replace(state.bucket(resource), current, next);
            if (stored != null) {
                return stored;
            }
        }
    }
}
