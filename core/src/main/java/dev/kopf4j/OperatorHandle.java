package dev.kopf4j;

import java.time.Duration;

/** A running operator. Thread-safe. */
public interface OperatorHandle extends AutoCloseable {
    /** Asks the operator to stop gracefully, and returns at once. */
    void stop();

    /**
     * Waits until the operator watches the cluster.
     *
     * @return false if it took longer than {@code timeout}, or if the operator was stopped before
     * @throws OperatorException if it has failed
     */
    boolean awaitReady(Duration timeout) throws InterruptedException;

    /** The settings of this run, to be read; final once its start-up handlers have ended. */
    OperatorSettings settings();

    /** How it is doing at the moment: {@link OperatorState#STARTING} until it watches. */
    OperatorState state();

    /** True once the operator has ended, in whatever way. */
    boolean hasEnded();

    /**
     * Waits for the operator's end.
     *
     * @throws OperatorException if it has failed
     */
    void join() throws InterruptedException;

    /** Stops the operator, and waits for its end. */
    @Override
    void close();
}
