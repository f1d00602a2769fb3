/**
 * Sends requests, again if they fail, and turns refusals and broken connections into
 * {@link dev.kopf4j.client.error.ClientException}.
 *
 * <p>Only this package decides which requests are sent again and after which delay ({@code RequestRetries}; the loop is
 * in {@code RequestAttempts}), which must not be sent again, and whether a request may be sent at all
 * ({@link dev.kopf4j.client.request.LeadershipFence}). {@code client.api} calls it.
 */
package dev.kopf4j.client.request;
