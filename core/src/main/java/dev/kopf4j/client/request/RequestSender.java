package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.login.ApiServerConnection;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.request.RequestAttempts.MissingPermissions;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends requests, again if they fail, and turns refusals and broken connections into exceptions. Thread-safe.
 *
 * <p>A request is sent again after a delay if the network failed, and after HTTP 5xx, 429 and 403 (permissions often
 * come a moment later than the operator). After the first 401 it is sent again at once, with new credentials. A POST
 * creates an object, so it is sent again only if the server has certainly not acted on it: the server refused it (403,
 * 429), or the connection never opened. All other requests have the same effect if they are sent twice.
 */
public final class RequestSender {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client.requests");
    private static final int ERROR_BODY_MAX = 64 * 1024;

    private final RequestAttempts attempts;
    private final RequestMeasurement measurement;
    private final LeadershipFence fence;

    /** Makes a sender over these connections; the listener hears of each attempt. */
    public RequestSender(
            Platform platform, ConnectionProvider connections, NetworkSettings settings, RequestListener listener) {
        this(
                new RequestAttempts(platform, connections, settings, new MissingPermissions()),
                new RequestMeasurement(platform, listener),
                LeadershipFence.OPEN);
    }

    private RequestSender(RequestAttempts attempts, RequestMeasurement measurement, LeadershipFence fence) {
        this.attempts = attempts;
        this.measurement = measurement;
        this.fence = fence;
    }

    /** The timeouts and retries of requests. */
    public NetworkSettings settings() {
        return attempts.settings();
    }

    /** Time and waiting. */
    public Platform platform() {
        return attempts.platform();
    }

    /** The connections that requests use. */
    public ConnectionProvider connectionProvider() {
        return attempts.connections();
    }

    /** Returns a sender with other timeouts and retries. */
    public RequestSender with(NetworkSettings other) {
        return new RequestSender(
                new RequestAttempts(platform(), connectionProvider(), other, attempts.missing()), measurement, fence);
    }

    /** Returns a sender that asks this fence before each attempt of {@link #send}. */
    public RequestSender fenced(LeadershipFence other) {
        return new RequestSender(attempts, measurement, other);
    }

    /**
     * Returns the JSON object of a successful response; an empty object if a change is answered without a body. Any
     * other body does not come from a Kubernetes API server, and is an error.
     *
     * @throws LeadershipLostException if the fence forbids the request
     */
    public ObjectNode send(RequestDescription description, TransportRequest request) throws InterruptedException {
        return attempts.run(description, request, RetryListener.NONE, connection -> {
            Deadline deadline = deadlineWithinFence(description);
            TransportResponse response = measurement.run(
                    request, () -> connection.transport().send(request, deadline), TransportResponse::status);
            logStatus(request, connection, response.status());
            if (response.status() >= 300) {
                throw ApiException.of(
                        description,
                        connection.server(),
                        response.status(),
                        response.body(),
                        response.header("Retry-After"));
            }
            boolean nothing = response.body().length == 0 && !request.method().equals("GET");
            return nothing ? Json.object() : object(response);
        });
    }

    private Deadline deadlineWithinFence(RequestDescription description) {
        Deadline until = fence.until();
        if (until.hasPassed(platform())) {
            throw new LeadershipLostException(description.describe());
        }
        return platform().after(settings().requestTimeout()).orEarlier(until);
    }

    /** The message does not quote the body: it may hold secrets. */
    private static ObjectNode object(TransportResponse response) throws IOException {
        try {
            return Json.parseObject(response.body());
        } catch (JsonConversionException e) {
            String type = response.header("Content-Type");
            throw new IOException(
                    "the answer is no JSON object, but " + response.body().length + " bytes of "
                            + (type == null ? "an unknown type" : type)
                            + ", so that this is no Kubernetes API server, or something stands in between",
                    e);
        }
    }

    /**
     * Opens the stream of a successful response; the caller closes it.
     *
     * @param headersWithin how long the head of the response may take
     */
    public OpenResponse open(
            RequestDescription description, TransportRequest request, Duration headersWithin, RetryListener listener)
            throws InterruptedException {
        return attempts.run(description, request, listener, connection -> {
            ResponseStream stream = measurement.run(
                    request,
                    () -> connection.transport().open(request, platform().after(headersWithin)),
                    ResponseStream::status);
            logStatus(request, connection, stream.status());
            if (stream.status() < 300) {
                return new OpenResponse(description, connection.server(), stream);
            }
            try (stream) {
                throw ApiException.of(
                        description,
                        connection.server(),
                        stream.status(),
                        errorBody(stream),
                        stream.header("Retry-After"));
            }
        });
    }

    private static void logStatus(TransportRequest request, ApiServerConnection connection, int status) {
        log.debug("{} {}{} -> {}", request.method(), connection.server(), request.path(), status);
    }

    private byte[] errorBody(ResponseStream stream) throws IOException, InterruptedException {
        try (InputStream body = stream.body(settings().requestTimeout())) {
            return body.readNBytes(ERROR_BODY_MAX);
        } catch (InterruptedIOException e) {
            throw OpenResponse.interrupted(e);
        }
    }

    /** Tells a listener the status and the duration of each attempt. Thread-safe. */
    private record RequestMeasurement(Platform platform, RequestListener listener) {
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

    /** Is told of each attempt of each request. Many threads call it at the same time. */
    @FunctionalInterface
    public interface RequestListener {
        /** Ignores all. */
        RequestListener NONE = (verb, status, took) -> {};

        /**
         * An attempt has ended, or its stream has been opened.
         *
         * @param verb the HTTP method; {@code WATCH} for streams
         * @param status the HTTP status; 0 if there was no response
         */
        void ended(String verb, int status, Duration took);
    }
}
