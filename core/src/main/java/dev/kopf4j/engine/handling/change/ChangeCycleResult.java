package dev.kopf4j.engine.handling.change;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** What is left to do after a cycle of handling a change. */
public sealed interface ChangeCycleResult {
    /**
     * Nothing: all handlers have succeeded or failed for good.
     *
     * @param essence the essence of the object when the last of them was called
     */
    record Done(ObjectNode essence) implements ChangeCycleResult {}

    /** Nothing by the handlers, but daemons still hold the object: a later cycle finishes it. */
    record HeldByDaemons() implements ChangeCycleResult {}

    /** Handlers have to be called after the delay; zero for at once. */
    record Unfinished(Duration delay) implements ChangeCycleResult {}

    /** All handlers have ended, but the object has changed meanwhile: the next cycle handles the rest of the change. */
    record RerunNeeded() implements ChangeCycleResult {}

    /** The object has changed before all handlers have ended: another cycle begins with its new state. */
    record ChangedMeanwhile() implements ChangeCycleResult {}
}
