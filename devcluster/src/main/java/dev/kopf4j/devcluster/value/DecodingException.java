package dev.kopf4j.devcluster.value;

import java.io.Serial;
import tools.jackson.databind.JsonNode;

/** A value that its type does not take. */
public final class DecodingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public DecodingException(String message) {
        super(message, null, false, false);
    }

    /** What messages call the type of a value. */
    public static String word(JsonNode value) {
        return switch (value.getNodeType()) {
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case ARRAY -> "array";
            case OBJECT -> "object";
            default -> "string";
        };
    }
}
