package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Why a request is refused, as its client is told.
 *
 * @param code the HTTP status
 * @param message the reason
 */
record AdmissionRefusal(int code, String message) {
    /**
     * The one of several failures that the client is told: what was meant for it comes first. Empty if there are none.
     */
    static Optional<AdmissionRefusal> of(List<Throwable> failures) {
        return failures.stream()
                .min(Comparator.comparingInt(AdmissionRefusal::rank))
                .map(failure -> new AdmissionRefusal(code(failure), message(failure)));
    }

    private static int rank(Throwable failure) {
        return switch (failure) {
            case AdmissionException _ -> 0;
            case PermanentException _ -> 1;
            case TemporaryException _ -> 2;
            default -> 3;
        };
    }

    private static int code(Throwable failure) {
        return failure instanceof AdmissionException refusal ? refusal.code() : AdmissionException.DEFAULT_CODE;
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isEmpty() ? failure.getClass().getSimpleName() + "()" : message;
    }
}
