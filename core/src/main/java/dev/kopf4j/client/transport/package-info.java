/**
 * Sends one request to one server with one credential: no retries, no interpretation of the response.
 *
 * <p>{@link dev.kopf4j.client.socket.SocketTransport} is the real {@link dev.kopf4j.client.transport.Transport}; tests
 * have scripted ones. A body that arrives piece by piece is a {@link dev.kopf4j.client.transport.ResponseStream}. Each
 * wait has a deadline and can be interrupted. {@code client.login} makes the transports, {@code client.request} uses
 * them.
 */
package dev.kopf4j.client.transport;
