package dev.kopf4j.engine.reactor;

import dev.kopf4j.runtime.Deadline;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of an object after a cycle. */
sealed interface Next {
    /** Nothing until its next event. */
    record Rest() implements Next {}

    /**
     * Nothing until its next event, which is on its way: that of the operator's own change.
     *
     * @param body the state by then, newer than what older events may still bring
     */
    record Await(ObjectNode body) implements Next {}

    /**
     * Another cycle at that moment, unless an event comes first.
     *
     * @param at the moment
     * @param body the state to go on with
     */
    record WakeUp(Deadline at, ObjectNode body) implements Next {}

    /**
     * The event is indexed, and is looked at again when the gate of the indices opens.
     *
     * @param event the event
     */
    record Parked(QueuedEvent event) implements Next {}

    /**
     * A framework error: nothing before that moment.
     *
     * @param until the moment
     * @param body the state to go on with
     */
    record Throttled(Deadline until, ObjectNode body) implements Next {}

    /** It does not exist any more. */
    record Forget() implements Next {}
}
