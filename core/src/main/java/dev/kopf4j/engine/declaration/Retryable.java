package dev.kopf4j.engine.declaration;

import dev.kopf4j.ErrorsMode;

/** Something of the user's that is called, and called again when it fails. Its text is what logs call it. */
public interface Retryable {
    /** How often it is called. */
    DeclaredOptions options();

    /** What an arbitrary exception means. */
    ErrorsMode errors();
}
