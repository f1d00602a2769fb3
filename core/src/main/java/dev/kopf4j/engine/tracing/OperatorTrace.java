package dev.kopf4j.engine.tracing;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hears of each step of an operator's work. Methods that are not of interest need not be implemented.
 *
 * <p>Many threads call it at a time: it must be thread-safe and quick, and must not throw.
 */
public interface OperatorTrace {
    /** Ignores everything. */
    OperatorTrace NONE = new OperatorTrace() {};

    /**
     * A stream begins, or begins again.
     *
     * @param namespace where it watches; null for the whole cluster
     * @param labelSelector which objects it sees; empty for all
     */
    default void streamBegan(Resource resource, @Nullable String namespace, String labelSelector) {}

    /**
     * An event has come, and has found its place in the queue of its object; or the object is known as a child only.
     *
     * @param version the version of the object; empty if it has none
     * @param gone true if the object does not exist any more
     * @param waits true if it will be processed; false if nothing is left to do for it
     */
    default void eventCame(Resource resource, ObjectReference object, String version, boolean gone, boolean waits) {}

    /**
     * A cycle has ended.
     *
     * @param next when the next one begins if no event comes before; {@link Deadline#NEVER} if nothing is left to do
     */
    default void cycleEnded(Resource resource, ObjectReference object, Deadline next) {}

    /** The object will be processed, though no event of it has come: its children or daemons have something to tell. */
    default void wokenUp(Resource resource, ObjectReference object) {}

    /** A worker has left an object, as there is nothing to do for it at the moment. */
    default void workerLeft(Resource resource, ObjectReference object) {}

    /**
     * The children of an object were compared with what handlers say, and written where they differed.
     *
     * @param troubles why those that are not ready are not, or were not written, by their kinds and names; in words
     */
    default void childrenCompared(ObjectReference parent, Map<String, String> troubles) {}

    /** A call of a handler begins. */
    default void callBegan(HandlerKind kind, HandlerContext context) {}

    /**
     * A call has ended.
     *
     * @param context the same as at its begin
     * @param result what is stored in the status, as JSON; null if there is nothing
     * @param failure what it has thrown; null if it has thrown nothing
     */
    default void callEnded(
            HandlerContext context,
            HandlerCall.Outcome outcome,
            @Nullable String result,
            @Nullable Throwable failure) {}
}
