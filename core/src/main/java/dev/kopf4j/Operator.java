package dev.kopf4j;

import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.rights.MissingRightsReport;

/**
 * An operator: handlers, and what they are to be called for. Made by {@link #builder}.
 *
 * <p>Thread-safe. Several operators may run in one process; each has its own settings, handlers and credentials. Made
 * by the framework; not to be implemented.
 */
public interface Operator {
    /** A new operator without any handlers. */
    static OperatorBuilder builder() {
        return OperatorAssembly.builder(MissingRightsReport::new);
    }

    /**
     * Runs until it is stopped by SIGTERM, SIGINT (Ctrl-C) or an interrupt of the calling thread, or fails. Signals
     * stop it gracefully: cleanup handlers are called, then this method returns, and the program goes on to its end.
     * {@link OperatorBuilder#stopOnSignals} leaves signals to the application.
     *
     * @throws OperatorException if it cannot start, or has failed for good
     */
    void run();

    /**
     * Starts in the background, in virtual threads and daemon threads, which do not keep the JVM alive. No signal stops
     * it, unless {@link OperatorBuilder#stopOnSignals} was chosen. Failures to start are thrown by
     * {@link OperatorHandle#awaitReady} and {@link OperatorHandle#join}.
     */
    OperatorHandle start();
}
