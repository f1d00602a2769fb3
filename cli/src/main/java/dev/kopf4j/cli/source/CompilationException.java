package dev.kopf4j.cli.source;

/** Sources could not be compiled. The compiler has already shown the details. */
public final class CompilationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception; the message says what went wrong, and the way out. */
    public CompilationException(String message) {
        super(message);
    }
}
