package dev.kopf4j;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of what an operator does, for a library for traces, such as OpenTelemetry by
 * {@code kopf4j-opentelemetry}. There is a span for each cycle of an object in which something is done, for each call
 * of a handler, and for each request that is made in one of these.
 *
 * <p>Found by {@link java.util.ServiceLoader}, or given to {@link OperatorBuilder#tracing}. Many threads call it at a
 * time: it must be thread-safe and quick, and must not wait. If it throws, the operator goes on, and makes no spans any
 * more.
 *
 * <p>No span gets a value of an object, a body of a request, or a credential.
 */
public interface Tracing {
    /** Begins a span. */
    Span begin(Start start);

    /**
     * How a span begins. Immutable.
     *
     * @param name the name, of which there are few different ones
     * @param outgoing true for a request to the API server; false for what the operator does itself
     * @param parent the span that it is a part of; null if it begins a trace
     * @param at when it has begun
     * @param attributes what is known of it so far; the keys follow OpenTelemetry's semantic conventions where there
     *     are any
     */
    record Start(String name, boolean outgoing, @Nullable Span parent, Instant at, Map<String, String> attributes) {
        /** Copies the attributes. */
        public Start {
            attributes = Map.copyOf(attributes);
        }
    }

    /** A span that has begun. Thread-safe. */
    interface Span {
        /** The id of its trace, in 32 hexadecimal digits; empty if nobody collects it. */
        String traceId();

        /** Its own id, in 16 hexadecimal digits; empty if nobody collects it. */
        String spanId();

        /** Makes it the current one of the thread, so that spans of the handler's own code become parts of it. */
        Scope enter();

        /** Tells more of it. */
        void set(String key, String value);

        /** The same. */
        void set(String key, long value);

        /** The same. */
        void set(String key, double value);

        /**
         * Another trace has caused it, and is linked to it.
         *
         * @param traceparent in the form of W3C's Trace Context
         */
        void link(String traceparent);

        /**
         * It has failed.
         *
         * @param description why, in words; empty if that must not be told
         */
        void fail(String description);

        /** It has ended; nothing is called any more. */
        void end(Instant at);
    }

    /** The time in which a span is the current one of a thread. Closed once, by the same thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        /** Nothing to leave. */
        Scope NONE = () -> {};

        @Override
        void close();
    }
}
