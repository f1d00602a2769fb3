package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tools.jackson.databind.node.ObjectNode;

/**
 * Caches the trees of recent object states, because many watches apply their selectors to the same events. Thread-safe;
 * callers must not change the trees.
 */
public final class ConvertedObjectCache {
    private static final int SIZE = 64;
    private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(SIZE);

    /** Creates an empty cache. */
    public ConvertedObjectCache() {}

    private record Entry(Resource resource, StoredObject object, ObjectNode tree) {}

    public @SuppressWarnings("ReferenceEquality") // compared by identity: comparing schemas costs too much
    ObjectNode tree(Resource resource, StoredObject object) {
        int slot = (int) (object.version() % SIZE);
        Entry present = entries.get(slot);
        if (present != null && present.object().equals(object) && present.resource() == resource) {
            return present.tree();
        }
        ObjectNode tree = StorageConversion.tree(resource, object);
        entries.set(slot, new Entry(resource, object, tree));
        return tree;
    }
}
