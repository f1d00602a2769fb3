package dev.kopf4j.client.login;

import dev.kopf4j.client.transport.Transport;

/**
 * A way to the API server that is in use.
 *
 * @param transport what sends the requests
 * @param server the server's address, for messages
 * @param defaultNamespace the namespace of the credential
 */
public record ApiServerConnection(Transport transport, String server, String defaultNamespace) {}
