package dev.kopf4j.testing.extension;

import java.io.Serial;

/** Carries into the report of a failed test what the operator has done. */
final class OperatorStory extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    OperatorStory(String story) {
        super("the operator at that moment.\n" + story, null, false, false);
    }
}
