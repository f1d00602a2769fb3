package dev.kopf4j.devcluster.cel;

import org.jspecify.annotations.Nullable;

/** An expression of a schema that cannot be used; the message says why. */
final class InvalidRuleException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String problem;

    InvalidRuleException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = message;
    }

    String problem() {
        return problem;
    }
}
