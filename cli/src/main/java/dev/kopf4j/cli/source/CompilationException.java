package dev.kopf4j.cli.source;

/** Sources did not become classes; the message is for people, the details were already shown by the compiler. */
public final class CompilationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what went wrong and the way out. */
    public CompilationException(String message) {
        super(message);
    }
}
