/**
 * Reads certificates and private keys in all forms that kubeconfigs know, and makes TLS contexts of them.
 *
 * <p>Exported to integrations: the clients of other libraries open TLS connections of their own.
 */
package dev.kopf4j.client.tls;
