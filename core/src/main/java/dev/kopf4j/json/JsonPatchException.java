package dev.kopf4j.json;

import java.io.Serial;

/** A JSON patch cannot be applied: it is malformed, a path does not exist, or a test has failed. */
public class JsonPatchException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Names the operation and the reason. */
    public JsonPatchException(String message) {
        super(message);
    }
}
