package dev.kopf4j.engine.processing;

import dev.kopf4j.runtime.Deadline;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of an object after a cycle. */
public sealed interface CycleResult {
    /** Nothing until its next event. */
    record Idle() implements CycleResult {}

    /**
     * Nothing until its next event, which is on its way: that of the operator's own change.
     *
     * @param body the state by then, newer than what older events may still bring
     */
    record AwaitEcho(ObjectNode body) implements CycleResult {}

    /**
     * Another cycle at that moment, unless an event comes first.
     *
     * @param at the moment
     * @param body the state to go on with
     */
    record WakeUp(Deadline at, ObjectNode body) implements CycleResult {}

    /**
     * The event is indexed, and is looked at again when the gate of the indices opens.
     *
     * @param event the event
     */
    record AwaitIndices(QueuedEvent event) implements CycleResult {}

    /**
     * A framework error: nothing before that moment.
     *
     * @param until the moment
     * @param body the state to go on with
     */
    record Throttled(Deadline until, ObjectNode body) implements CycleResult {}

    /** It does not exist any more. */
    record Forget() implements CycleResult {}
}
