package dev.kopf4j.webhook;

/** Whether the clients of a webhook server show certificates: those of the API server, usually. */
public enum ClientVerification {
    /** Nobody is asked. */
    NONE,
    /** A client that shows a certificate is verified; one that shows none is let in. */
    OPTIONAL,
    /** Only clients with a valid certificate are let in. */
    REQUIRED
}
