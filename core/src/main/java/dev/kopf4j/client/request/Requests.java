package dev.kopf4j.client.request;

import dev.kopf4j.client.connection.Connection;
import dev.kopf4j.client.connection.Connections;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.FencedException;
import dev.kopf4j.client.error.Target;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.transport.Answer;
import dev.kopf4j.client.transport.AnswerStream;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.client.transport.ClosedTransportException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWait;
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
public final class Requests {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private static final int ERROR_BODY_MAX = 64 * 1024;

    private final Platform platform;
    private final Connections connections;
    private final NetworkSettings settings;
    private final Fence fence;
    private final MissingPermissions missing;
    private final RequestListener listener;

    /** Requests over these connections, each attempt of which is told. */
    public Requests(Platform platform, Connections connections, NetworkSettings settings, RequestListener listener) {
        this(platform, connections, settings, Fence.OPEN, new MissingPermissions(), listener);
    }

    private Requests(
            Platform platform,
            Connections connections,
            NetworkSettings settings,
            Fence fence,
            MissingPermissions missing,
            RequestListener listener) {
        this.missing = missing;
        this.listener = listener;
        this.platform = platform;
        this.connections = connections;
        this.settings = settings;
        this.fence = fence;
    }

    /** When the answer must be there; throws if the request must not even begin. */
    private Deadline admitted(Target target) {
        Deadline until = fence.until();
        if (until.hasPassed(platform)) {
            throw new FencedException(target.describe());
        }
        return platform.after(settings.requestTimeout()).orEarlier(until);
    }

    /** One attempt on one connection. */
    private interface Attempt<T> {
        T on(Connection connection) throws IOException, InterruptedException;
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
    public Requests with(NetworkSettings other) {
        return new Requests(platform, connections, other, fence, missing, listener);
    }

    /** The same within these limits. */
    public Requests fenced(Fence limits) {
        return new Requests(platform, connections, settings, limits, missing, listener);
    }

    /** Where the requests go. */
    public Connections connections() {
        return connections;
    }

    /** The object that is answered with a good status. What is none comes from somebody else on the way. */
    public ObjectNode send(Target target, Call call) throws InterruptedException {
        return repeat(target, call, FailureListener.DEAF, connection -> {
            Deadline deadline = admitted(target);
            Answer answer = measured(call, () -> connection.transport().send(call, deadline), Answer::status);
            log.debug("{} {}{} -> {}", call.method(), connection.server(), call.path(), answer.status());
            if (answer.status() >= 300) {
                throw ApiException.of(
                        target, connection.server(), answer.status(), answer.body(), answer.header("Retry-After"));
            }
            boolean nothing = answer.body().length == 0 && !call.method().equals("GET");
            return nothing ? Json.object() : object(answer);
        });
    }

    /** Its text is not told: it may hold secrets. */
    private static ObjectNode object(Answer answer) throws IOException {
        try {
            return Json.parseObject(answer.body());
        } catch (JsonConversionException e) {
            String type = answer.header("Content-Type");
            throw new IOException(
                    "the answer is no JSON object, but " + answer.body().length + " bytes of "
                            + (type == null ? "an unknown type" : type)
                            + ", so that this is no Kubernetes API server, or something stands in between",
                    e);
        }
    }

    /** A stream whose status is a good one; the caller closes it. */
    public OpenStream open(Target target, Call call, Duration headersWithin, FailureListener listener)
            throws InterruptedException {
        return repeat(target, call, listener, connection -> {
            AnswerStream stream = measured(
                    call, () -> connection.transport().open(call, platform.after(headersWithin)), AnswerStream::status);
            log.debug("{} {}{} -> {}", call.method(), connection.server(), call.path(), stream.status());
            if (stream.status() < 300) {
                return new OpenStream(target, connection.server(), stream);
            }
            try (stream) {
                throw ApiException.of(
                        target, connection.server(), stream.status(), errorBody(stream), stream.header("Retry-After"));
            }
        });
    }

    /** Something that gets an answer, or not. */
    private interface Exchange<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T measured(Call call, Exchange<T> exchange, ToIntFunction<T> status)
            throws IOException, InterruptedException {
        long begun = platform.nanos();
        int reached = 0;
        try {
            T answer = exchange.run();
            reached = status.applyAsInt(answer);
            return answer;
        } finally {
            String verb = call.isWatch() ? "WATCH" : call.method();
            listener.ended(verb, reached, Duration.ofNanos(platform.nanos() - begun));
        }
    }

    private byte[] errorBody(AnswerStream stream) throws IOException, InterruptedException {
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

    private <T> T repeat(Target target, Call call, FailureListener listener, Attempt<T> attempt)
            throws InterruptedException {
        Attempts attempts = new Attempts(settings, target, call, missing);
        while (true) {
            Connection connection = connections.current();
            attempts.begin();
            try {
                T result = attempt.on(connection);
                attempts.succeeded();
                return result;
            } catch (UnauthorizedException e) {
                connections.reject(connection, e);
                if (attempts.isFirstUnauthorized()) {
                    continue;
                }
                pause(attempts, connection, e, listener);
            } catch (ApiException e) {
                pause(attempts, connection, e, listener);
            } catch (ClosedTransportException e) {
                if (connections.current().equals(connection)) {
                    pause(attempts, connection, failed(target, connection.server(), e), listener);
                }
            } catch (IOException e) {
                if (e instanceof SSLException) {
                    connections.doubt(connection);
                }
                pause(attempts, connection, failed(target, connection.server(), e), listener);
            }
        }
    }

    /** Tells what was asked, of whom, and how the connection failed. */
    public static ConnectionFailedException failed(Target target, String server, IOException cause) {
        return new ConnectionFailedException(target.describe(), server, cause);
    }

    /** Waits before the next attempt; throws the failure if there is none. */
    private void pause(Attempts attempts, Connection connection, ClientException failure, FailureListener listener)
            throws InterruptedException {
        Duration delay = attempts.delayAfter(connection.server(), failure);
        listener.failed(failure);
        LongWait.begins();
        try {
            platform.sleep(delay);
        } finally {
            LongWait.ends();
        }
    }
}
