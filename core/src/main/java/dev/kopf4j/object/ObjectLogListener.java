package dev.kopf4j.object;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Is told what is logged about objects. Thread-safe. Its methods are quick, never wait and never throw. */
public interface ObjectLogListener {
    /** Ignores all. */
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

    /** True if the listener wants lines of this level. */
    boolean isInterestedIn(Level level);

    /** A line was logged. */
    void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable);
}
