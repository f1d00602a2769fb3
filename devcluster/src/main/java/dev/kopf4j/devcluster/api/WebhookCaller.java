package dev.kopf4j.devcluster.api;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Calls webhooks for the API server; blocks the calling request until there is an answer. Thread-safe. */
@FunctionalInterface
public interface WebhookCaller {
    /** The name by which API servers introduce themselves to webhooks. */
    String USER_AGENT = "kube-apiserver-admission";

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

    /**
     * The same for a server that is known by another name than that in the URL: an endpoint of a service shows a
     * certificate for {@code name.namespace.svc}. Who makes no connections need not care.
     *
     * @param serverName the name in its certificate; empty for that in the URL
     */
    default byte[] call(String url, Optional<String> serverName, String authorities, byte[] body, Duration timeout)
            throws IOException {
        return call(url, authorities, body, timeout);
    }
}
