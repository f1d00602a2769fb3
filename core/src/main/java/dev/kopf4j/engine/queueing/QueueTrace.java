package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;

/**
 * Tells the operator's trace how far a stream is with its objects. Thread-safe.
 *
 * @param resource the resource of the objects
 * @param trace what is told
 */
record QueueTrace(Resource resource, OperatorTrace trace) {
    /**
     * An event has come.
     *
     * @param waits true if it leaves something to do
     */
    void eventCame(ObjectReference object, String version, boolean gone, boolean waits) {
        trace.eventCame(resource, object, version, gone, waits);
    }

    /** The object is looked at without an event. */
    void wokenUp(ObjectQueue queue) {
        trace.wokenUp(resource, queue.reference());
    }

    /** A cycle has ended; the next one by itself is then. */
    void cycleEnded(ObjectQueue queue, Deadline next) {
        trace.cycleEnded(resource, queue.reference(), next);
    }

    /** There is nothing more to do at the moment. */
    void workerLeft(ObjectQueue queue) {
        trace.workerLeft(resource, queue.reference());
    }

    /** What was to be done will not be done: the stream pauses. */
    void dropped(ObjectQueue queue) {
        trace.cycleEnded(resource, queue.reference(), Deadline.NEVER);
        trace.workerLeft(resource, queue.reference());
    }
}
