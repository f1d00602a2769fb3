/**
 * The failures of requests. Their messages name the verb, the object, the server, what the server said, and the missing
 * permission.
 *
 * <p>A {@link dev.kopf4j.client.error.ClientException} is thrown when no retry is left. Transports throw
 * {@link java.io.IOException}s; {@code client.request} converts them. Bodies that may hold secrets are not kept
 * ({@code ApiException.RedactedErrorBody}).
 */
package dev.kopf4j.client.error;
