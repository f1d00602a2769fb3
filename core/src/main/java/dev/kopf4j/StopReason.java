package dev.kopf4j;

/** Why a daemon or a timer is asked to stop, and which stage the stopping has reached. */
public enum StopReason {
    /**
     * It has ended, by itself or as it was asked to (then beside the reasons for that); of a timer, this call has.
     * Threads that still wait for the sign see this reason.
     */
    DONE,
    /** Its filters do not let the object pass any more, or the object is not served any more. */
    FILTERS_MISMATCH,
    /** The object is being deleted, or has gone. */
    RESOURCE_DELETED,
    /** The operator pauses: it will be started again afterwards. */
    OPERATOR_PAUSING,
    /** The operator ends. */
    OPERATOR_EXITING,
    /** It was given its {@code cancellationBackoff} to end by itself. */
    DAEMON_SIGNALLED,
    /** It was interrupted. */
    DAEMON_CANCELLED,
    /** It has not ended in time, and is left behind. */
    DAEMON_ABANDONED
}
