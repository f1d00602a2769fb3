package dev.kopf4j.types.text;

/** Something cannot be made of something else; the message names place and way out. */
public final class UnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A problem in words for people. */
    public UnfitException(String message) {
        super(message);
    }
}
