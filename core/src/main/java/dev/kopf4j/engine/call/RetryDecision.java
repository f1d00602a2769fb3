package dev.kopf4j.engine.call;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * An outcome, and how it is logged. Immutable.
 *
 * @param outcome the outcome
 * @param level how important it is
 * @param line the line for the log
 * @param trace the exception whose stack trace belongs to the line; null for none
 * @param failure with what the handler has failed for good; null if it has not
 */
public record RetryDecision(
        Outcome outcome,
        Level level,
        String line,
        @Nullable Throwable trace,
        @Nullable Throwable failure) {
    /** Logs it. */
    public void log(Logger logger) {
        if (trace == null || !isLoggedWithTrace(trace, logger)) {
            logger.atLevel(level).log(line);
        }
    }

    /** False if the exception's own code does not let it be written. */
    private boolean isLoggedWithTrace(Throwable exception, Logger logger) {
        try {
            logger.atLevel(level).setCause(exception).log(line);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
