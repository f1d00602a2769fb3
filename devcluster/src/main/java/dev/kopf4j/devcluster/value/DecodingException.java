package dev.kopf4j.devcluster.value;

import java.io.Serial;
import tools.jackson.databind.JsonNode;

/** A value that does not have the right type. */
public final class DecodingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public DecodingException(String message) {
        super(message, null, false, false);
    }

    /** The name of a value's type in messages. */
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
