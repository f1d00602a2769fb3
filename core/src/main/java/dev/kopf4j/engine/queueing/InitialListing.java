package dev.kopf4j.engine.queueing;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The objects of a stream's first list that are not in the indices yet: handlers have to wait for them. Guarded by the
 * dispatcher's monitor.
 */
final class InitialListing {
    private final Set<ObjectQueue> notIndexed = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean listed;
    private boolean over;

    /** Nothing was listed yet. If there are no indices for the objects, nobody has to wait. */
    InitialListing(boolean indexes) {
        this.over = !indexes;
    }

    /** An event of the object has come, and waits to be indexed. */
    void add(ObjectQueue queue) {
        if (!over && !listed) {
            notIndexed.add(queue);
        }
    }

    /** No event of the object waits to be indexed any more. */
    void indexed(ObjectQueue queue) {
        notIndexed.remove(queue);
    }

    /** All objects were listed. */
    void listed() {
        listed = true;
    }

    /** True if nobody has to wait for the list. */
    boolean isOver() {
        return over;
    }

    /** Returns true exactly once: when all listed objects are indexed. */
    boolean ends() {
        boolean ends = !over && listed && notIndexed.isEmpty();
        over |= ends;
        return ends;
    }
}
