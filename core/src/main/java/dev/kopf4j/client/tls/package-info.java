/**
 * Makes the TLS contexts of credentials and of our own servers, of certificates and keys that {@code certificate}
 * reads.
 *
 * <p>Exported to integrations: the clients of other libraries open TLS connections of their own.
 */
package dev.kopf4j.client.tls;
