package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.processing.ObjectMemory;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The objects of a stream's first list that are not in the indices yet: handlers have to wait for them. Guarded by the
 * reactor's monitor.
 */
final class InitialListing {
    private final Set<ObjectMemory> notIndexed = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean listed;
    private boolean over;

    /** Nothing was listed yet; if there are no indices for the objects, nothing has to be waited for. */
    InitialListing(boolean indexes) {
        this.over = !indexes;
    }

    /** An event of the object waits to be indexed. */
    void add(ObjectMemory slot) {
        if (!over && !listed) {
            notIndexed.add(slot);
        }
    }

    /** No event of the object waits to be indexed any more. */
    void indexed(ObjectMemory slot) {
        notIndexed.remove(slot);
    }

    /** All objects were listed. */
    void listed() {
        listed = true;
    }

    /** True if nobody has to wait for the list. */
    boolean isOver() {
        return over;
    }

    /** True once: when all objects that were listed are indexed. */
    boolean ends() {
        boolean ends = !over && listed && notIndexed.isEmpty();
        over |= ends;
        return ends;
    }
}
