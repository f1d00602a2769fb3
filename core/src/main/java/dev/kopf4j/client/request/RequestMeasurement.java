package dev.kopf4j.client.request;

import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.function.ToIntFunction;

/** Tells a listener the status and the duration of each attempt. Thread-safe. */
record RequestMeasurement(Platform platform, RequestListener listener) {
    /** One attempt; it returns a response, or fails. */
    interface Exchange<T> {
        T run() throws IOException, InterruptedException;
    }

    <T> T run(TransportRequest request, Exchange<T> exchange, ToIntFunction<T> status)
            throws IOException, InterruptedException {
        long begun = platform.nanos();
        int reached = 0;
        try {
            T response = exchange.run();
            reached = status.applyAsInt(response);
            return response;
        } finally {
            String verb = request.isWatch() ? "WATCH" : request.method();
            listener.ended(verb, reached, Duration.ofNanos(platform.nanos() - begun));
        }
    }
}
