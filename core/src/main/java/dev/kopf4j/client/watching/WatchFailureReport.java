package dev.kopf4j.client.watching;

import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.GoneException;
import dev.kopf4j.client.error.LoginException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells what goes wrong with a stream: to its listener always, to the log by its weight. */
record WatchFailureReport(WatchScope place, ListAndWatchListener listener) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /**
     * Broken connections and versions that are too old are part of life; refusals are somebody's business. A login that
     * has failed is told where that happens, once for all streams.
     */
    void failed(String reason, ClientException failure) {
        boolean usual = failure instanceof ConnectionFailedException
                || failure instanceof GoneException
                || failure instanceof LoginException;
        log.atLevel(usual ? Level.DEBUG : Level.WARN)
                .log("The watch-stream for {} is disturbed, and will be restored: {}", place, failure.getMessage());
        listener.disturbed(reason, failure);
    }

    /** The request itself logs its attempts. */
    void retrying(ClientException failure) {
        listener.disturbed("a request failed, and is repeated", failure);
    }

    void silent(String reason) {
        log.debug("Watch-stream for {} is inactive, reconnecting.", place);
        listener.disturbed(reason, null);
    }
}
