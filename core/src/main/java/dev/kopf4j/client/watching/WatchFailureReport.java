package dev.kopf4j.client.watching;

import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.GoneException;
import dev.kopf4j.client.error.NoCredentialsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells what goes wrong with a watch: always to its listener, and to the log by how serious it is. */
record WatchFailureReport(WatchScope scope, ListAndWatchListener listener) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /**
     * Lost connections and expired versions are normal, so they are logged as DEBUG. Refused requests need somebody's
     * attention, so they are logged as WARN. A failed login and a missing permission are logged as DEBUG too: they are
     * reported once for all watches, by the vault and by the requests.
     */
    void failed(String reason, ClientException failure) {
        boolean usual = failure instanceof ConnectionFailedException
                || failure instanceof ForbiddenException
                || failure instanceof GoneException
                || failure instanceof NoCredentialsException;
        log.atLevel(usual ? Level.DEBUG : Level.WARN)
                .log("The watch-stream for {} is disturbed, and will be restored: {}", scope, failure.getMessage());
        listener.disturbed(reason, failure);
    }

    /** The request itself logs its attempts. */
    void retrying(ClientException failure) {
        listener.disturbed("a request failed, and is repeated", failure);
    }

    void silent(String reason) {
        log.debug("Watch-stream for {} is inactive, reconnecting.", scope);
        listener.disturbed(reason, null);
    }
}
