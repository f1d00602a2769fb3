package dev.kopf4j.client.request;

import java.time.Duration;

/** Is told of each attempt of each request. Many threads call it at the same time. */
@FunctionalInterface
public interface RequestListener {
    /** Ignores all. */
    RequestListener NONE = (verb, status, took) -> {};

    /**
     * An attempt has ended, or its stream has been opened.
     *
     * @param verb the HTTP method; {@code WATCH} for streams
     * @param status the HTTP status; 0 if there was no response
     */
    void ended(String verb, int status, Duration took);
}
