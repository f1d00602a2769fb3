package dev.kopf4j.runtime;

/** Something that runs by itself. Thread-safe. */
public interface Task {
    /** The name it was given when it was started. */
    String name();

    /** True once its body has ended, in whatever way. */
    boolean isFinished();

    /** Asks it to stop: its current or next wait ends with {@link InterruptedException}. */
    void interrupt();

    /**
     * Waits for its end.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the waiting task is interrupted
     */
    boolean join(Deadline deadline) throws InterruptedException;

    /** Where its code is at the moment, innermost call first; empty if it has ended. */
    StackTraceElement[] stack();
}
