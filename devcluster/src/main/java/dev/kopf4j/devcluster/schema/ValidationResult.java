package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The errors that a validation has found; Result of {@code pkg/validation/validate/result.go} of kube-openapi. */
final class ValidationResult {
    private final Set<FieldError> errors = new LinkedHashSet<>();

    /**
     * Counts the checks made. If no schema of an anyOf or oneOf matches, the errors of the one with most checks are
     * reported.
     */
    private int checks;

    void add(FieldError error) {
        errors.add(error);
    }

    void addAll(Collection<FieldError> found) {
        errors.addAll(found);
    }

    void count(int made) {
        checks += made;
    }

    void merge(ValidationResult other) {
        errors.addAll(other.errors);
        checks += other.checks;
    }

    boolean isValid() {
        return errors.isEmpty();
    }

    int checks() {
        return checks;
    }

    Set<FieldError> errors() {
        return errors;
    }
}
