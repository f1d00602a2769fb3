package dev.kopf4j;

/**
 * What the API server writes into its audit log about the request. A parameter of admission handlers. Confined to the
 * call.
 */
@FunctionalInterface
public interface AuditAnnotations {
    /**
     * Adds an annotation. The API server puts the webhook's name in front of the key: {@code <webhook>/<key>}.
     *
     * @param key letters, digits, {@code -}, {@code _} and {@code .}, 63 at most; with anything else, such as a slash,
     *     the API server drops the annotation, and only its own log tells it
     * @param value any text
     */
    void put(String key, String value);
}
