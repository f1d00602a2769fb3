package dev.kopf4j.json;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A text is no JSON, or a value cannot be converted: JSON cannot express a Java value, or a Java type cannot hold a
 * JSON value. The message names the field, what was found, and what was expected.
 */
public class JsonConversionException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Describes the mismatch; the cause is the library's own exception, if any. */
    public JsonConversionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
