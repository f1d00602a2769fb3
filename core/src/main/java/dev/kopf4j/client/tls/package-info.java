/**
 * Certificates and private keys in all forms that kubeconfigs know, and the TLS contexts made of them.
 *
 * <p>Exported to integrations, whose clients speak TLS on their own.
 */
package dev.kopf4j.client.tls;
