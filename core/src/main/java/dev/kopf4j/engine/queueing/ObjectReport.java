package dev.kopf4j.engine.queueing;

import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;

/**
 * How one object is doing at a moment, for people. Immutable.
 *
 * @param uid by which the operator knows it
 * @param backlog its events that wait
 * @param next when it is looked at without an event; {@link Deadline#NEVER} if that is not planned
 * @param remembered what the operator remembers of it; nothing of an object that is at work
 */
public record ObjectReport(
        ObjectReference reference,
        String uid,
        Activity activity,
        Backlog backlog,
        Deadline next,
        Remembered remembered) {
    /**
     * Events that wait.
     *
     * @param events how many
     * @param since the reading of the monotonic clock when the first of them came; 0 if none waits
     */
    public record Backlog(int events, long since) {}

    /**
     * What the operator remembers of an object.
     *
     * @param failed true if a handler has failed for good
     * @param childrenRefused true if one of its children could not be written or deleted, which is tried again
     * @param daemons true if it has daemons or timers
     */
    public record Remembered(boolean failed, boolean childrenRefused, boolean daemons) {
        /** Whoever works at the object, changes what is remembered. */
        static final Remembered NOTHING = new Remembered(false, false, false);
    }

    /** What an object is doing. */
    public enum Activity {
        /** There is nothing to do for it. */
        RESTING,
        /** It is looked at again later. */
        WAITING,
        /** It has work, and waits for a worker. */
        QUEUED,
        /** It has work, and waits until all indices are complete. */
        BLOCKED,
        /** A worker looks at it. */
        WORKING,
        /** It is left alone for a while, after an unexpected error. */
        THROTTLED
    }
}
