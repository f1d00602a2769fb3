package dev.kopf4j.object;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Hears what is logged about objects. Thread-safe; quick, never waits, never throws. */
public interface LogListener {
    /** Hears nothing. */
    LogListener DEAF = new LogListener() {
        @Override
        public boolean hears(Level level) {
            return false;
        }

        @Override
        public void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable) {
            // Nobody is told.
        }
    };

    /** True if lines of this level are of interest. */
    boolean hears(Level level);

    /** A line was logged. */
    void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable);
}
