/**
 * What a webhook server shows to its clients, and where they find it: certificates that are made, read from files or
 * Secrets, or signed by a shared authority, and a new one whenever that is due.
 *
 * <p>{@code ServerIdentities} chooses a {@code CertificateSource}, and makes a {@code ServerIdentity} whenever what it
 * gives has changed; {@code WebhookAddress} has the names and the way there.
 *
 * <p>The authority that the servers of all replicas share stands in a Secret: when it is replaced, and what clients are
 * told to trust, is pure ({@code AuthorityState}); {@code SharedAuthority} reads and writes it, as one of the cluster's
 * {@code Secrets}.
 */
package dev.kopf4j.engine.admission.identity;
