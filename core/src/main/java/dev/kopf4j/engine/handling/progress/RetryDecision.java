package dev.kopf4j.engine.handling.progress;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * An outcome, and what is to be said of it. Immutable.
 *
 * @param outcome the outcome
 * @param level how important it is
 * @param line the line for the log
 * @param trace the exception whose stack trace belongs to the line; null for none
 */
public record RetryDecision(
        Outcome outcome, Level level, String line, @Nullable Throwable trace) {
    /** Says it. */
    public void log(Logger logger) {
        if (trace == null) {
            logger.atLevel(level).log(line);
        } else {
            logger.atLevel(level).setCause(trace).log(line);
        }
    }
}
