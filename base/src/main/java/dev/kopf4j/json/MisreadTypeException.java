package dev.kopf4j.json;

/** The values of a type would be read or written in another way than it says: that is no better with the next value. */
public final class MisreadTypeException extends JsonConversionException {
    private static final long serialVersionUID = 1L;

    MisreadTypeException(String message) {
        super(message, null);
    }
}
