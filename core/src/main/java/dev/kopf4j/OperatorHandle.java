package dev.kopf4j;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A running operator. Thread-safe. Made by the framework; not to be implemented. */
public interface OperatorHandle extends AutoCloseable {
    /** Asks the operator to stop gracefully, and returns at once. */
    void stop();

    /**
     * Waits until the operator watches the cluster, as far as it can: what it may not list is told by {@link #state}.
     *
     * @return false if it took longer than {@code timeout}, or if the operator was stopped before
     * @throws OperatorException if it has failed
     */
    boolean awaitReady(Duration timeout) throws InterruptedException;

    /** The settings of this run, to be read; final once its start-up handlers have ended. */
    OperatorSettings settings();

    /** How it is doing at the moment: {@link OperatorState#STARTING} until it watches. */
    OperatorState state();

    /**
     * Tells whether the operator works, as the page of {@link OperatorBuilder#liveness} does: calls the handlers of
     * {@link OnProbe}, once in ten seconds at most. They are not called before the start-up handlers have ended, nor
     * after the end.
     *
     * @return what they have returned, by their ids, as that page shows it; empty while they are not called, which says
     *     nothing of the operator: {@link #state} and {@link #hasEnded} do
     * @throws OperatorException if one of them has failed, or nobody reads a stream any more
     */
    Map<String, @Nullable Object> probe() throws InterruptedException;

    /** True once the operator has ended, in whatever way. */
    boolean hasEnded();

    /**
     * Waits for the operator's end.
     *
     * @throws OperatorException if it has failed
     */
    void join() throws InterruptedException;

    /**
     * Stops the operator, and waits for its end. Handlers, those of the cleanup among them, use {@link #stop}: the end
     * waits for them.
     */
    @Override
    void close();
}
