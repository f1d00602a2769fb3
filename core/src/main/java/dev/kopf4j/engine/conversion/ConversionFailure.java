package dev.kopf4j.engine.conversion;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Why an object cannot be converted, as the client is told; the object itself is named by whoever knows it. */
final class ConversionFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    ConversionFailure(String message) {
        this(message, null);
    }

    /** The same with what the user's code has thrown. */
    ConversionFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
