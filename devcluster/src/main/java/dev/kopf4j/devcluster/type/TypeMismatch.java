package dev.kopf4j.devcluster.type;

import java.io.Serial;

/** A value that its type does not take. */
public final class TypeMismatch extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    TypeMismatch(String message) {
        super(message, null, false, false);
    }
}
