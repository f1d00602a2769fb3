package dev.kopf4j.testing.recording;

import java.util.Optional;

/**
 * One line of the operator's log. Immutable.
 *
 * @param level such as {@code INFO}
 * @param logger the name of the logger
 * @param message the message with its arguments
 * @param failure the exception that was logged with it
 */
public record LogLine(String level, String logger, String message, Optional<Throwable> failure) {
    /**
     * True if the framework itself was surprised: a defect of it or of an extension, but not an exception of a handler.
     */
    public boolean isFrameworkError() {
        return level.equals("ERROR")
                && (message.contains("due to an unexpected error")
                        || message.contains("defect of the framework")
                        || message.contains("is a defect"));
    }

    @Override
    public String toString() {
        return level + " " + message + failure.map(each -> ": " + each).orElse("");
    }
}
