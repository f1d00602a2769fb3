/**
 * Sends one request as it is to one server, with one set of credentials: no retries, no interpretation.
 *
 * <p>A {@link dev.kopf4j.client.transport.Transport} is made of sockets in real life, and of scripts in tests. What
 * comes piece by piece is an {@link dev.kopf4j.client.transport.ResponseStream}. Each wait has a deadline and can be
 * interrupted.
 */
package dev.kopf4j.client.transport;
