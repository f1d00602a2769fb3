package dev.kopf4j;

/** What an exception means that is neither a {@link TemporaryException} nor a {@link PermanentException}. */
public enum ErrorsMode {
    /** It is logged, and the handler counts as succeeded. */
    IGNORED,
    /** The handler is retried after its backoff. */
    TEMPORARY,
    /** The handler has failed for good. */
    PERMANENT
}
