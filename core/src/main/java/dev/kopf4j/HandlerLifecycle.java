package dev.kopf4j;

/** Which of the due handlers of an object are called in one cycle, and in which order. */
public enum HandlerLifecycle {
    /**
     * All, in the order of registration; each sees the changes of those before it, and progress is written at the end
     * of the cycle or by checkpoints.
     */
    IN_ORDER,
    /** All, in the order of registration, with one write at the end of the cycle. */
    ALL_AT_ONCE,
    /** The first one. */
    ONE_BY_ONE,
    /** A random one. */
    RANDOMIZED,
    /** All, in random order. */
    SHUFFLED,
    /** The one with the fewest attempts so far. */
    ASAP
}
