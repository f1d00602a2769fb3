package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.handling.context.ResourceObject;
import java.time.Duration;

/**
 * Holds an object back after unexpected errors of the framework, longer each time, so that it holds up nobody else.
 * Thread-safe; each object's memory is confined to its worker.
 *
 * @param delays the delay by the number of errors in a row
 */
record ObjectThrottling(ErrorDelays delays) {
    /** The cycle has failed: counts the error, logs it, and says how long the object waits. */
    Duration begin(ObjectMemory memory, ResourceObject object, Throwable error) {
        Duration delay = delays.ofError(memory.errorsInRow());
        if (!delay.isZero()) {
            memory.countError();
        }
        object.localLogger()
                .error("Throttling for {} seconds due to an unexpected error: {}", delay.toSeconds(), error, error);
        return delay;
    }

    /** How long to wait after a conflict, by the number of conflicts before it. */
    Duration delayAfterConflict(int earlier) {
        return delays.ofConflict(earlier);
    }

    /** The cycle has ended well. */
    void end(ObjectMemory memory, ResourceObject object) {
        if (memory.errorsInRow() > 0) {
            memory.forgetErrors();
            object.localLogger().info("Throttling is over. Switching back to normal operations.");
        }
    }
}
