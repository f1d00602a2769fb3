package dev.kopf4j;

/** Why a daemon or a timer is asked to stop, and how far the asking has come. */
public enum StopReason {
    /** It has come to its end; for a timer: this call of it has. For threads that still wait. */
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
