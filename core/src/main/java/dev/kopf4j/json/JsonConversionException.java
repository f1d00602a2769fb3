package dev.kopf4j.json;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Says that a text is no JSON, or that a value does not fit: a Java value that JSON cannot express, or a JSON value
 * that a Java type cannot hold. The message names the field, what was found, and what was expected.
 */
public class JsonConversionException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Describes the mismatch; the cause is the library's own exception, if any. */
    public JsonConversionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
