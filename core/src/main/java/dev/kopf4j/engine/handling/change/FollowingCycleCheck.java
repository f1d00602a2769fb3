package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.ResourceObject;

/** Tells whether a cycle of an object would do anything else before it calls handlers of changes. */
public interface FollowingCycleCheck {
    /** True if in that state neither the finalizer nor any daemon or timer has to be changed first. */
    boolean beginsWithHandlers(ResourceObject state, Cause cause);

    /** A cycle that begins with handlers follows. */
    void begins();
}
