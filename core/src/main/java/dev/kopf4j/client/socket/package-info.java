/**
 * Requests over sockets: {@link dev.kopf4j.client.socket.SocketTransport}, on the blocking HTTP/1.1 of Apache HttpCore.
 *
 * <p>Each request in flight and each watch has a connection and blocks its own virtual thread. A deadline closes the
 * connection; an interrupt does, too. Connections are kept for the next request, and closed when nobody needs them for
 * a while. What a server, a proxy and a password file say is read here; {@code client.tls} makes the certificates.
 */
package dev.kopf4j.client.socket;
