package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tools.jackson.databind.node.ObjectNode;

/**
 * The trees of the states that were looked at last: many watches put the same events to their selectors. Thread-safe;
 * the trees must not be changed.
 */
public final class ConvertedObjectCache {
    private static final int SIZE = 64;
    private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(SIZE);

    /** None yet. */
    public ConvertedObjectCache() {}

    private record Entry(Resource resource, StoredObject object, ObjectNode tree) {}

    public @SuppressWarnings(
            "ReferenceEquality") // the same resource, not an equal one: comparing schemas costs too much
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
