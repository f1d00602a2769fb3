package dev.kopf4j.engine.queueing;

import java.time.Duration;

/**
 * How urgent the work of an object is, the most urgent first. Each class gives way to more urgent work for a bounded
 * time: work of class A is overtaken by work of a more urgent class B only if that comes at most {@code A.givesWay() -
 * B.givesWay()} later. So nothing starves, however much urgent work there is. Timers and daemons are not among them:
 * they run in tasks of their own, and never wait for a worker.
 */
public enum WorkPriority {
    /** An object is gone, or is to be deleted: somebody waits for its finalizer. */
    DELETION(Duration.ZERO),
    /** An object was created or changed. */
    CHANGE(Duration.ofSeconds(1)),
    /** A child of the object was created, changed or deleted. */
    CHILD(Duration.ofSeconds(2)),
    /** A moment has come that the object has waited for: a retry, the end of a pause after an error. */
    RETRY(Duration.ofSeconds(3)),
    /** A daemon or timer of the object has ended. */
    BACKGROUND(Duration.ofSeconds(5)),
    /** The object was listed: at the start, after an interruption, or to be looked at again. */
    LISTED(Duration.ofSeconds(10));

    private final Duration givesWay;

    WorkPriority(Duration givesWay) {
        this.givesWay = givesWay;
    }

    /** For how long work of this class gives way to later work that must not wait at all. */
    public Duration givesWay() {
        return givesWay;
    }

    /** The more urgent of the two. */
    public WorkPriority orMoreUrgent(WorkPriority other) {
        return compareTo(other) <= 0 ? this : other;
    }
}
