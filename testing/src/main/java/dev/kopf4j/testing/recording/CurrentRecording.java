package dev.kopf4j.testing.recording;

import java.util.function.Consumer;

/**
 * Which recording the running thread belongs to: several tests run in one JVM at a time, and share its logs and its
 * standard output. Thread-safe.
 */
public final class CurrentRecording {
    private static final ScopedValue<Recording> CURRENT = ScopedValue.newInstance();

    private CurrentRecording() {}

    /** Runs something whose logs and prints belong to the recording. */
    public static void within(Recording recording, Runnable body) {
        ScopedValue.where(CURRENT, recording).run(body);
    }

    /** True if the running thread is to log nothing. */
    static boolean isQuiet() {
        return CURRENT.isBound() && CURRENT.get().isQuiet();
    }

    /** Tells the recording of the running thread, if there is one. */
    static void tell(Consumer<Recording> what) {
        if (CURRENT.isBound()) {
            what.accept(CURRENT.get());
        }
    }
}
