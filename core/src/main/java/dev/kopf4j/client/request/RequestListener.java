package dev.kopf4j.client.request;

import java.time.Duration;

/** Hears of each attempt of each request. Called by many threads at a time. */
@FunctionalInterface
public interface RequestListener {
    /** Nobody hears. */
    RequestListener NONE = (verb, status, took) -> {};

    /**
     * An attempt has ended, or its stream has been opened.
     *
     * @param verb the HTTP method; {@code WATCH} for streams
     * @param status the HTTP status; 0 if there was no answer
     */
    void ended(String verb, int status, Duration took);
}
