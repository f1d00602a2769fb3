package dev.kopf4j.devcluster.conformance;

import java.io.Serial;
import java.util.List;

/** A step whose answer is not the recorded one. */
final class StepFailed extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    StepFailed(String message) {
        super(message);
    }

    static void unlessEmpty(List<String> differences) {
        if (!differences.isEmpty()) {
            throw new StepFailed(String.join("\n", differences));
        }
    }
}
