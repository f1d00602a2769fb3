package dev.kopf4j.types;

/**
 * A Java type cannot be a custom resource, or a definition cannot be Java types. The message names place and way out.
 */
public final class TypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A problem in words for people. */
    public TypeException(String message) {
        super(message);
    }
}
