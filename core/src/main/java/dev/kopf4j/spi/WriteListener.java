package dev.kopf4j.spi;

/**
 * Hears what the client of a handler has written, so that indices and lists of children have it at once. Thread-safe.
 */
@FunctionalInterface
public interface WriteListener {
    /**
     * The server has answered a request that may have changed an object, with success. To be called before the handler
     * gets the answer; returns when everything is brought up to it, and throws nothing.
     *
     * @param method the HTTP method, such as {@code POST}; what only reads is passed over
     * @param target path and query of the request
     * @param answer the body of the response
     */
    void answered(String method, String target, byte[] answer);
}
