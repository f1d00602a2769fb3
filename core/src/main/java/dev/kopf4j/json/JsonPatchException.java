package dev.kopf4j.json;

import java.io.Serial;

/** Says that a JSON patch cannot be applied: malformed, a path that does not exist, or a failed test. */
public class JsonPatchException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Names the operation and the reason. */
    public JsonPatchException(String message) {
        super(message);
    }
}
