package dev.kopf4j.runtime;

import java.io.Serial;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A task that was started by {@link Platform#spawn}. Thread-safe. */
public interface Task {
    /** The name that it was started with. */
    String name();

    /** True after its body has ended, in whatever way. */
    boolean isFinished();

    /** Asks the task to stop: its current or next wait ends with {@link InterruptedException}. */
    void interrupt();

    /**
     * Waits for the end of the task.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the waiting task is interrupted
     */
    boolean join(Deadline deadline) throws InterruptedException;

    /** Returns the stack of its thread, the innermost call first; empty if the task has ended. */
    StackTraceElement[] stack();

    /** Such frames as lines of text, for the log. */
    static String text(StackTraceElement[] frames) {
        return Arrays.stream(frames).map(frame -> "    at " + frame).collect(Collectors.joining("\n"));
    }

    /**
     * Ends a task from inside, whatever it is doing. Whoever catches errors of other people's code must let it through.
     */
    abstract class TaskEndError extends Error {
        @Serial
        private static final long serialVersionUID = 1L;

        /** The reason; nobody looks at its trace. */
        protected TaskEndError(String message) {
            super(message, null, false, false);
        }

        /**
         * Called first by whoever catches whatever other people's code throws: the end of the task is thrown on, and an
         * interrupt, which other languages throw undeclared, is felt by the next wait.
         */
        public static void letThrough(Throwable thrown) {
            if (thrown instanceof TaskEndError end) {
                throw end;
            }
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
