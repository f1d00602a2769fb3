package dev.kopf4j.client.login;

import dev.kopf4j.client.transport.Transport;

/**
 * A connection to an API server: a transport with one credential.
 *
 * @param transport sends the requests
 * @param server the server's address, for messages
 * @param defaultNamespace the namespace of the credential
 */
public record ApiServerConnection(Transport transport, String server, String defaultNamespace) {}
