package dev.kopf4j.webhook;

import java.time.Duration;

/**
 * An authority that all replicas of an operator share: each of them signs its own certificate with it, and the API
 * server trusts them all. For {@link LocalWebhookServer#authority}. Immutable: each method returns a changed copy.
 *
 * <p>The operator makes it, keeps it in a Secret, and replaces it before it ends, in steps between which the API server
 * trusts every certificate that any replica shows: the next authority is announced to the API server first; after a
 * while, in which all replicas hear of it, it signs; the old one stays trusted until it ends.
 *
 * <p>The Secret has {@code tls.crt} and {@code tls.key}, the authority that signs; {@code next.crt} and
 * {@code next.key}, the one that is announced; and {@code ca.crt}, all that are to be trusted.
 */
public sealed interface WebhookAuthority permits SecretAuthority {
    /**
     * An authority in a Secret, which is made if it is not there, and filled if it is empty.
     *
     * @param namespace the namespace of the Secret, usually that of the operator
     * @param name the name of the Secret
     */
    static WebhookAuthority inSecret(String namespace, String name) {
        return new SecretAuthority(
                new NamedSecret(namespace, name),
                Duration.ofDays(365),
                Duration.ofDays(90),
                Duration.ofHours(1),
                Duration.ofDays(90));
    }

    /** How long an authority is valid; 365 days by default. */
    WebhookAuthority validFor(Duration value);

    /** How long before its end the next one is made; 90 days by default. */
    WebhookAuthority rotatedBefore(Duration value);

    /**
     * How long the next one is announced before it signs; an hour by default. All replicas must have looked at the
     * Secret meanwhile, which they do at each {@link LocalWebhookServer#fileCheckInterval}; and whoever writes
     * configurations by hand must have copied {@code ca.crt}.
     */
    WebhookAuthority announcedFor(Duration value);

    /**
     * How long the certificate of a server is valid, at most until its authority ends; 90 days by default. It is
     * replaced when a third of that is left.
     */
    WebhookAuthority certificatesValidFor(Duration value);

    /** Where it is kept. */
    SecretName secret();

    /** How long it is valid. */
    Duration validFor();

    /** How long before its end the next one is made. */
    Duration rotatedBefore();

    /** How long the next one is announced before it signs. */
    Duration announcedFor();

    /** How long the certificate of a server is valid. */
    Duration certificatesValidFor();
}
