package dev.kopf4j.testing.recording;

import java.util.Optional;

/**
 * One line of the operator's log. Immutable.
 *
 * @param level such as {@code INFO}
 * @param logger the name of the logger
 * @param message the message with its arguments
 * @param failure the exception that was logged with it
 * @param isFrameworkError true if the framework itself was surprised: a defect of it or of an extension, but not an
 *     exception of a handler; the framework marks such lines, whatever the texts in them are
 */
public record LogLine(
        String level, String logger, String message, Optional<Throwable> failure, boolean isFrameworkError) {
    @Override
    public String toString() {
        return level + " " + message + failure.map(each -> ": " + each).orElse("");
    }
}
