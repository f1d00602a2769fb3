package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes finalizers of objects that are being deleted, as controllers do when their work is done. Thread-safe. */
public final class FinalizerRemoval {
    private final ServerContext state;

    /** Removes finalizers in the store of a server. */
    public FinalizerRemoval(ServerContext state) {
        this.state = state;
    }

    /** Removes a finalizer, and the object if no finalizer is left; false if another write came between. */
    public boolean remove(ResourceBucket bucket, StoredObject current, String finalizer) {
        return remove(bucket, current, current.tree(), finalizer);
    }

    /** The same, for a tree of the object that has other changes, too. */
    public boolean remove(ResourceBucket bucket, StoredObject current, ObjectNode tree, String finalizer) {
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode finalizers = Json.list(metadata, "finalizers");
        int before = finalizers.size();
        finalizers.removeIf(each -> each.stringValue().equals(finalizer));
        if (finalizers.size() == before) {
            return true;
        }
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        }
        return store(bucket, current, tree);
    }

    /** Stores what is left of an object, or removes it if nothing holds it; false if another write came between. */
    public boolean store(ResourceBucket bucket, StoredObject current, ObjectNode tree) {
        return state.deletion(bucket).released(tree)
                ? state.objectStore().remove(bucket, current) > 0
                : current.tree().equals(tree)
                        || state.objectStore().replace(bucket, current, current.changedTo(tree)) != null;
    }
}
