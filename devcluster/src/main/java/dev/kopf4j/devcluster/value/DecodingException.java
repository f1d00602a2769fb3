package dev.kopf4j.devcluster.value;

import java.io.Serial;
import tools.jackson.databind.JsonNode;

/** A value that does not have the right type. */
public final class DecodingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String mapMessage;

    public DecodingException(String message) {
        this(message, message);
    }

    /**
     * The same.
     *
     * @param mapMessage what Go says if it reads the value from a map and not from a text
     */
    public DecodingException(String message, String mapMessage) {
        super(message, null, false, false);
        this.mapMessage = mapMessage;
    }

    /** The message for a value that was read from a map. */
    public String mapMessage() {
        return mapMessage;
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
