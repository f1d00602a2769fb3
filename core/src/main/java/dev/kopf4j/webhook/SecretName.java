package dev.kopf4j.webhook;

/** Which Secret. Immutable; its text form is {@code namespace/name}. */
public sealed interface SecretName permits NamedSecret {
    /** Its namespace. */
    String namespace();

    /** Its name. */
    String name();
}
