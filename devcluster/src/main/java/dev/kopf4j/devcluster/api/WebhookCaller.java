package dev.kopf4j.devcluster.api;

import java.io.IOException;
import java.time.Duration;

/** Calls webhooks for the API server; blocks the calling request until there is an answer. Thread-safe. */
@FunctionalInterface
public interface WebhookCaller {
    /**
     * The body of a successful answer.
     *
     * @param url the URL to post to, with its query
     * @param authorities the certificates to trust as PEM, empty for the system's
     * @param body a JSON document
     * @param timeout how long to wait
     * @throws IOException if there is no answer in time, or the answer is a failure; clients get the message
     */
    byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException;
}
