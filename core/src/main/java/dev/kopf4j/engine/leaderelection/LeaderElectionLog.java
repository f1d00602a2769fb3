package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.client.error.ClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs who leads and which failures there are, each of them once. Confined. */
final class LeaderElectionLog {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.leading");

    private final LeaseStore store;
    private final String identity;
    private String toldHolder = "";
    private String toldFailure = "";

    LeaderElectionLog(LeaseStore store, String identity) {
        this.store = store;
        this.identity = identity;
    }

    void leads() {
        toldHolder = "";
        log.info("Leading: the lease {} is held by this replica, {}.", store, identity);
    }

    void follows(String holder) {
        if (!toldHolder.equals(holder)) {
            toldHolder = holder;
            log.info("Standing by: the lease {} is held by {}.", store, holder);
        }
    }

    void stepsDown(String reason) {
        log.warn("Stepping down: the lease {} is lost, {}.", store, reason);
    }

    void failed(ClientException e) {
        String message = String.valueOf(e.getMessage());
        log.atLevel(message.equals(toldFailure) ? Level.DEBUG : Level.WARN)
                .log("The lease {} could not be asked for or renewed: {}", store, message);
        toldFailure = message;
    }

    /** The lease was taken or renewed: a later failure is news. */
    void succeeded() {
        toldFailure = "";
    }

    void released() {
        log.info("The lease {} is released.", store);
    }

    void notReleased(ClientException e) {
        log.warn("The lease {} could not be released, others have to wait for it: {}", store, e.getMessage());
    }
}
