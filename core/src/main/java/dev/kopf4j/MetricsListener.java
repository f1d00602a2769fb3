package dev.kopf4j;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Hears what can be counted and measured of an operator's work: to be bound to a library for metrics. Methods that are
 * not of interest need not be implemented.
 *
 * <p>Many threads call it at a time, for each request and each call: it must be thread-safe and quick, and must not
 * throw.
 */
public interface MetricsListener {
    /** Ignores everything. */
    MetricsListener NONE = new MetricsListener() {};

    /**
     * A call of a handler has ended, also an attempt of a daemon or a timer: most daemons have one that ends with their
     * object. What was interrupted because the operator stops or pauses, or because a daemon has to stop, is not told.
     */
    default void handlerEnded(HandlerCall call) {}

    /**
     * The processing of an event has begun.
     *
     * @param resource the resource of the object
     * @param waited since the event was received; of several for one object, the first one
     */
    default void processingBegan(Resource resource, Duration waited) {}

    /**
     * An object could not be read: it was damaged, or has more levels than fit into the stack of a thread. No handler
     * is called for this state of it.
     *
     * @param resource the resource of the object
     */
    default void objectUnreadable(Resource resource) {}

    /**
     * The handling of an object was paused by its annotation, or goes on.
     *
     * @param resource the resource of the object
     * @param paused true if it was paused
     */
    default void handlingPaused(Resource resource, boolean paused) {}

    /**
     * A request to the API server has ended, or its stream has been opened.
     *
     * @param verb the HTTP method; {@code WATCH} for streams
     * @param status the HTTP status; 0 if there was no answer
     * @param took from its begin to its answer
     */
    default void requestEnded(String verb, int status, Duration took) {}

    /**
     * The operator begins to watch.
     *
     * @param state how it is doing, whenever that is asked for
     */
    default void observe(Supplier<OperatorState> state) {}
}
