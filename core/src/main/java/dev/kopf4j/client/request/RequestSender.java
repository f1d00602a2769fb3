package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.login.ApiServerConnection;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.ClosedTransportException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends requests, again if need be, and turns refusals and broken connections into exceptions. Thread-safe.
 *
 * <p>Sent again after a delay: what failed by the network, by HTTP 5xx, 429 and 403 (permissions often come a moment
 * later than the operator). After a 401, with new credentials at once. A POST creates something, so it is sent again
 * only if the server has certainly not acted on it: it refused (403, 429), or the connection never opened. Everything
 * else that is sent here has the same effect if it is done twice.
 */
public final class RequestSender {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private static final int ERROR_BODY_MAX = 64 * 1024;

    private final Platform platform;
    private final ConnectionProvider connectionProvider;
    private final NetworkSettings settings;
    private final LeadershipFence leadershipFence;
    private final MissingPermissions missing;
    private final RequestListener listener;

    /** Requests over these connections, each attempt of which is told. */
    public RequestSender(
            Platform platform,
            ConnectionProvider connectionProvider,
            NetworkSettings settings,
            RequestListener listener) {
        this(platform, connectionProvider, settings, LeadershipFence.OPEN, new MissingPermissions(), listener);
    }

    private RequestSender(
            Platform platform,
            ConnectionProvider connectionProvider,
            NetworkSettings settings,
            LeadershipFence leadershipFence,
            MissingPermissions missing,
            RequestListener listener) {
        this.missing = missing;
        this.listener = listener;
        this.platform = platform;
        this.connectionProvider = connectionProvider;
        this.settings = settings;
        this.leadershipFence = leadershipFence;
    }

    /** When the answer must be there; throws if the request must not even begin. */
    private Deadline deadlineWithinFence(RequestDescription requestDescription) {
        Deadline until = leadershipFence.until();
        if (until.hasPassed(platform)) {
            throw new LeadershipLostException(requestDescription.describe());
        }
        return platform.after(settings.requestTimeout()).orEarlier(until);
    }

    /** One attempt on one connection. */
    private interface Attempt<T> {
        T on(ApiServerConnection apiServerConnection) throws IOException, InterruptedException;
    }

    /** How requests are sent, and sent again. */
    public NetworkSettings settings() {
        return settings;
    }

    /** Time and waiting. */
    public Platform platform() {
        return platform;
    }

    /** The same with other timeouts and retries. */
    public RequestSender with(NetworkSettings other) {
        return new RequestSender(platform, connectionProvider, other, leadershipFence, missing, listener);
    }

    /** The same within these limits. */
    public RequestSender fenced(LeadershipFence limits) {
        return new RequestSender(platform, connectionProvider, settings, limits, missing, listener);
    }

    /** Where the requests go. */
    public ConnectionProvider connectionProvider() {
        return connectionProvider;
    }

    /** The object that is answered with a good status. What is none comes from somebody else on the way. */
    public ObjectNode send(RequestDescription requestDescription, TransportRequest transportRequest)
            throws InterruptedException {
        return sendWithRetries(requestDescription, transportRequest, RetryListener.NONE, apiServerConnection -> {
            Deadline deadline = deadlineWithinFence(requestDescription);
            TransportResponse transportResponse = measured(
                    transportRequest,
                    () -> apiServerConnection.transport().send(transportRequest, deadline),
                    TransportResponse::status);
            log.debug(
                    "{} {}{} -> {}",
                    transportRequest.method(),
                    apiServerConnection.server(),
                    transportRequest.path(),
                    transportResponse.status());
            if (transportResponse.status() >= 300) {
                throw ApiException.of(
                        requestDescription,
                        apiServerConnection.server(),
                        transportResponse.status(),
                        transportResponse.body(),
                        transportResponse.header("Retry-After"));
            }
            boolean nothing = transportResponse.body().length == 0
                    && !transportRequest.method().equals("GET");
            return nothing ? Json.object() : object(transportResponse);
        });
    }

    /** Its text is not told: it may hold secrets. */
    private static ObjectNode object(TransportResponse transportResponse) throws IOException {
        try {
            return Json.parseObject(transportResponse.body());
        } catch (JsonConversionException e) {
            String type = transportResponse.header("Content-Type");
            throw new IOException(
                    "the answer is no JSON object, but " + transportResponse.body().length + " bytes of "
                            + (type == null ? "an unknown type" : type)
                            + ", so that this is no Kubernetes API server, or something stands in between",
                    e);
        }
    }

    /** A stream whose status is a good one; the caller closes it. */
    public OpenResponse open(
            RequestDescription requestDescription,
            TransportRequest transportRequest,
            Duration headersWithin,
            RetryListener listener)
            throws InterruptedException {
        return sendWithRetries(requestDescription, transportRequest, listener, apiServerConnection -> {
            ResponseStream stream = measured(
                    transportRequest,
                    () -> apiServerConnection.transport().open(transportRequest, platform.after(headersWithin)),
                    ResponseStream::status);
            log.debug(
                    "{} {}{} -> {}",
                    transportRequest.method(),
                    apiServerConnection.server(),
                    transportRequest.path(),
                    stream.status());
            if (stream.status() < 300) {
                return new OpenResponse(requestDescription, apiServerConnection.server(), stream);
            }
            try (stream) {
                throw ApiException.of(
                        requestDescription,
                        apiServerConnection.server(),
                        stream.status(),
                        errorBody(stream),
                        stream.header("Retry-After"));
            }
        });
    }

    /** Something that gets an answer, or not. */
    private interface Exchange<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T measured(TransportRequest transportRequest, Exchange<T> exchange, ToIntFunction<T> status)
            throws IOException, InterruptedException {
        long begun = platform.nanos();
        int reached = 0;
        try {
            T answer = exchange.run();
            reached = status.applyAsInt(answer);
            return answer;
        } finally {
            String verb = transportRequest.isWatch() ? "WATCH" : transportRequest.method();
            listener.ended(verb, reached, Duration.ofNanos(platform.nanos() - begun));
        }
    }

    private byte[] errorBody(ResponseStream stream) throws IOException, InterruptedException {
        try (InputStream body = stream.body(settings.requestTimeout())) {
            return body.readNBytes(ERROR_BODY_MAX);
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        }
    }

    /** Undoes what a byte stream must do to an interruption. */
    public static InterruptedException interrupted(InterruptedIOException e) {
        // The flag was set again for callers that do not know; from here on the exception says it.
        var _ = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    private <T> T sendWithRetries(
            RequestDescription requestDescription,
            TransportRequest transportRequest,
            RetryListener listener,
            Attempt<T> attempt)
            throws InterruptedException {
        RequestRetries requestRetries = new RequestRetries(settings, requestDescription, transportRequest, missing);
        while (true) {
            ApiServerConnection apiServerConnection = connectionProvider.current();
            requestRetries.begin();
            try {
                T result = attempt.on(apiServerConnection);
                requestRetries.succeeded();
                return result;
            } catch (UnauthorizedException e) {
                connectionProvider.reject(apiServerConnection, e);
                if (requestRetries.isFirstUnauthorized()) {
                    continue;
                }
                waitBeforeRetry(requestRetries, apiServerConnection, e, listener);
            } catch (ApiException e) {
                waitBeforeRetry(requestRetries, apiServerConnection, e, listener);
            } catch (ClosedTransportException e) {
                if (connectionProvider.current().equals(apiServerConnection)) {
                    waitBeforeRetry(
                            requestRetries,
                            apiServerConnection,
                            connectionFailed(requestDescription, apiServerConnection.server(), e),
                            listener);
                }
            } catch (IOException e) {
                if (e instanceof SSLException) {
                    connectionProvider.tlsFailed(apiServerConnection);
                }
                waitBeforeRetry(
                        requestRetries,
                        apiServerConnection,
                        connectionFailed(requestDescription, apiServerConnection.server(), e),
                        listener);
            }
        }
    }

    /** Tells what was asked, of whom, and how the connection failed. */
    public static ConnectionFailedException connectionFailed(
            RequestDescription requestDescription, String server, IOException cause) {
        return new ConnectionFailedException(requestDescription.describe(), server, cause);
    }

    /** Waits before the next attempt; throws the failure if there is none. */
    private void waitBeforeRetry(
            RequestRetries requestRetries,
            ApiServerConnection apiServerConnection,
            ClientException failure,
            RetryListener listener)
            throws InterruptedException {
        Duration delay = requestRetries.delayAfter(apiServerConnection.server(), failure);
        listener.retrying(failure);
        LongWaitSignal.begins();
        try {
            platform.sleep(delay);
        } finally {
            LongWaitSignal.ends();
        }
    }
}
