package dev.kopf4j.runtime;

/**
 * A task announces that it waits for something that may take long. Whoever limits the number of working tasks can then
 * let another one work. Without a listener, nothing happens. Confined to the task.
 */
public final class LongWaitSignal {
    private static final ScopedValue<LongWaitSignal> CURRENT = ScopedValue.newInstance();

    private final Listener listener;
    private int depth;

    private LongWaitSignal(Listener listener) {
        this.listener = listener;
    }

    /** Is told of the long waits of one task, in that task. */
    public interface Listener {
        /** The task waits from now on. */
        void begins();

        /** The task works again. */
        void ends();
    }

    /** Runs the body of a task with a listener for its long waits. */
    public static void runListening(Listener listener, Runnable body) {
        ScopedValue.where(CURRENT, new LongWaitSignal(listener)).run(body);
    }

    /**
     * The current task waits for something that may take long. {@link #ends} must follow in any case; the pairs may be
     * nested.
     */
    public static void begins() {
        if (CURRENT.isBound()) {
            CURRENT.get().begin();
        }
    }

    /** The current task works again. */
    public static void ends() {
        if (CURRENT.isBound()) {
            CURRENT.get().end();
        }
    }

    private void begin() {
        if (depth++ == 0) {
            listener.begins();
        }
    }

    private void end() {
        if (--depth == 0) {
            listener.ends();
        }
    }
}
