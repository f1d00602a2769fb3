package dev.kopf4j.image;

/** An image cannot be made; the message is for people. */
final class ImageException extends Exception {
    private static final long serialVersionUID = 1L;

    ImageException(String message) {
        super(message);
    }

    ImageException(String message, Throwable cause) {
        super(message, cause);
    }
}
