package dev.kopf4j.engine.cause;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads how far an object is on its way out. Pure. */
public final class DeletionState {
    private DeletionState() {}

    /** True if its deletion was requested: it goes as soon as nobody's finalizer holds it. */
    public static boolean isRequested(ObjectNode body) {
        return body.path("metadata").hasNonNull("deletionTimestamp");
    }

    /**
     * True if nothing holds it any more. The server removes such an object without raising its version: only the
     * DELETED event tells.
     */
    public static boolean isReleased(ObjectNode body) {
        boolean held = body.path("metadata").path("finalizers") instanceof ArrayNode list && !list.isEmpty();
        return isRequested(body) && !held;
    }
}
