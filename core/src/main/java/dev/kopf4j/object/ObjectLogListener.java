package dev.kopf4j.object;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Hears what is logged about objects. Thread-safe; quick, never waits, never throws. */
public interface ObjectLogListener {
    /** Hears nothing. */
    ObjectLogListener NONE = new ObjectLogListener() {
        @Override
        public boolean isInterestedIn(Level level) {
            return false;
        }

        @Override
        public void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable) {
            // Nobody is told.
        }
    };

    /** True if lines of this level are of interest. */
    boolean isInterestedIn(Level level);

    /** A line was logged. */
    void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable);
}
