package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.request.RequestSender.RequestAttempts.AttemptReport;
import dev.kopf4j.client.request.RequestSender.RequestAttempts.MissingPermissions;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport.ClosedTransportException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.FailureSums;
import dev.kopf4j.runtime.FailureSums.Telling;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends requests, again if they fail, and turns refusals and broken connections into exceptions. Thread-safe.
 *
 * <p>A request is sent again after a delay if the network failed, and after HTTP 5xx, 429 and 403 (permissions often
 * come a moment later than the operator). After the first 401 it is sent again at once, with new credentials. A POST
 * creates an object, so it is sent again only if the server has certainly not acted on it: the server refused it (403,
 * 429), or the connection never opened. All other requests have the same effect if they are sent twice. What changes
 * something goes only to the server that was in use when it was begun: another one may be that of another cluster.
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
                new RequestAttempts(
                        platform, connections, settings, new MissingPermissions(), new AttemptReport(platform)),
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
                new RequestAttempts(platform(), connectionProvider(), other, attempts.missing(), attempts.report()),
                measurement,
                fence);
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
        return send(description, request, body -> {
            boolean nothing = body.length == 0 && !request.method().equals("GET");
            return nothing ? Json.object() : Json.parseObject(body);
        });
    }

    /** The same, with a reader of its own for the body, which is empty if the answer has none. */
    public ObjectNode send(RequestDescription description, TransportRequest asked, AnswerReader reader)
            throws InterruptedException {
        TransportRequest request = asked.urgent(settings().urgent());
        RequestAttempts.AttemptDeadline until = () -> deadlineWithinFence(description);
        return attempts.run(description, request, RetryListener.NONE, until, (connection, deadline) -> {
            TransportResponse response = measurement.run(
                    description,
                    request,
                    () -> connection.transport().send(request, deadline),
                    TransportResponse::status);
            logStatus(request, connection, response.status());
            if (response.status() >= 300) {
                throw ApiException.of(
                        description,
                        connection.server(),
                        response.status(),
                        response.body(),
                        response.header("Retry-After"));
            }
            return object(response, reader);
        });
    }

    private Deadline deadlineWithinFence(RequestDescription description) throws InterruptedException {
        boolean certain = fence.awaitCertainty();
        Deadline until = fence.until();
        if (!certain || until.hasPassed(platform())) {
            throw new LeadershipLostException(description.describe());
        }
        return platform().after(settings().objectTimeout()).orEarlier(until);
    }

    /** Neither the message nor a cause quotes the body: it may hold secrets. */
    private static ObjectNode object(TransportResponse response, AnswerReader reader) throws IOException {
        try {
            return reader.read(response.body());
        } catch (JsonConversionException e) {
            String type = response.header("Content-Type");
            throw new IOException("the answer is no JSON object, but " + response.body().length + " bytes of "
                    + (type == null ? "an unknown type" : type)
                    + ", so that this is no Kubernetes API server, or something stands in between");
        }
    }

    /**
     * Opens the stream of a successful response; the caller closes it.
     *
     * @param headersWithin how long the head of the response may take
     */
    public OpenResponse open(
            RequestDescription description, TransportRequest asked, Duration headersWithin, RetryListener listener)
            throws InterruptedException {
        TransportRequest request = asked.urgent(settings().urgent());
        RequestAttempts.AttemptDeadline until = () -> platform().after(headersWithin);
        return attempts.run(description, request, listener, until, (connection, deadline) -> {
            ResponseStream stream = measurement.run(
                    description, request, () -> connection.transport().open(request, deadline), ResponseStream::status);
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

    /** Reads the body of a successful response. */
    @FunctionalInterface
    public interface AnswerReader {
        /**
         * Returns what the body says.
         *
         * @throws IOException if it is not what was asked for: the request is tried again then
         * @throws JsonConversionException if it is no JSON object, which is treated in the same way
         */
        ObjectNode read(byte[] body) throws IOException;
    }

    /** Tells a listener the status and the duration of each attempt. Thread-safe. */
    private record RequestMeasurement(Platform platform, RequestListener listener) {
        /** One attempt; it returns a response, or fails. */
        interface Exchange<T> {
            T run() throws IOException, InterruptedException;
        }

        <T> T run(
                RequestDescription description, TransportRequest request, Exchange<T> exchange, ToIntFunction<T> status)
                throws IOException, InterruptedException {
            long begun = platform.nanos();
            int reached = 0;
            try {
                T response = exchange.run();
                reached = status.applyAsInt(response);
                return response;
            } finally {
                listener.ended(description, request, reached, Duration.ofNanos(platform.nanos() - begun));
            }
        }
    }

    /** Is told of each attempt of each request. Many threads call it at the same time. */
    @FunctionalInterface
    public interface RequestListener {
        /** Ignores all. */
        RequestListener NONE = (description, request, status, took) -> {};

        /**
         * An attempt has ended, or its stream has been opened.
         *
         * @param description what it is for
         * @param request what was sent, but for the credentials; its body is not to be changed
         * @param status the HTTP status; 0 if there was no response
         */
        void ended(RequestDescription description, TransportRequest request, int status, Duration took);
    }

    /**
     * Makes the attempts of requests until one succeeds or {@link RequestRetries} says that there is none left. Each
     * attempt takes the connection that is in use at that moment. Thread-safe.
     */
    record RequestAttempts(
            Platform platform,
            ConnectionProvider connections,
            NetworkSettings settings,
            MissingPermissions missing,
            AttemptReport report) {

        private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

        /** One attempt on one connection. */
        interface Attempt<T> {
            /**
             * Sends the request, and reads its response.
             *
             * @throws ApiException if the server refuses
             * @throws IOException if there is no complete response
             */
            T on(ApiServerConnection connection, Deadline deadline) throws IOException, InterruptedException;
        }

        /** Gives the deadline of an attempt that begins now. */
        @FunctionalInterface
        interface AttemptDeadline {
            Deadline get() throws InterruptedException;
        }

        /**
         * Makes the attempts. Reads may go on at another server: whoever lists and watches checks that.
         *
         * @param until gives the deadline of an attempt that begins now
         * @throws NoCredentialsException also if a change would go on at another server
         */
        <T> T run(
                RequestDescription description,
                TransportRequest request,
                RetryListener listener,
                AttemptDeadline until,
                Attempt<T> attempt)
                throws InterruptedException {
            RequestRetries retries = new RequestRetries(settings, description, request, missing, report);
            int begunAt = connections.serverChanges();
            while (true) {
                ApiServerConnection connection = connections.current();
                if (!request.method().equals("GET") && connections.serverChanges() != begunAt) {
                    throw new NoCredentialsException(description.describe() + " was not sent, as logins lead to "
                            + connection.server() + " now, and it was begun for the server before.");
                }
                retries.begin();
                Deadline deadline = until.get();
                try {
                    T result = attempt.on(connection, deadline);
                    retries.succeeded();
                    return result;
                } catch (UnauthorizedException e) {
                    boolean isReplaced = connections.reject(connection, e, deadline);
                    if (!isReplaced || !retries.isFirstUnauthorized()) {
                        waitBeforeRetry(retries, connection, e, listener);
                    }
                } catch (ApiException e) {
                    waitBeforeRetry(retries, connection, e, listener);
                } catch (ClosedTransportException e) {
                    // A replaced connection sent nothing: the next attempt uses the new one at once.
                    if (connections.current().equals(connection)) {
                        waitBeforeRetry(retries, connection, failed(description, connection, e), listener);
                    } else {
                        retries.doNotCount();
                    }
                } catch (IOException e) {
                    if (e instanceof SSLException) {
                        connections.tlsFailed(connection);
                    }
                    waitBeforeRetry(retries, connection, failed(description, connection, e), listener);
                }
            }
        }

        private static ClientException failed(
                RequestDescription description, ApiServerConnection connection, IOException cause) {
            return new ConnectionFailedException(description.describe(), connection.server(), cause);
        }

        /** Throws the failure if no attempt is left. */
        private void waitBeforeRetry(
                RequestRetries retries, ApiServerConnection connection, ClientException failure, RetryListener listener)
                throws InterruptedException {
            Duration delay = retries.delayAfter(connection.server(), failure, !listener.equals(RetryListener.NONE));
            listener.retrying(failure);
            LongWaitSignal.begins();
            try {
                platform.sleep(delay);
            } finally {
                LongWaitSignal.ends();
            }
        }

        /**
         * Decides which failures of one request are tried again, and after which delay; counts and logs the attempts.
         * Confined to a task.
         */
        static final class RequestRetries {
            /** A server, or a proxy in front of it, that names a day must not silence the operator for as long. */
            private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(1);

            private final NetworkSettings settings;
            private final MissingPermissions missing;
            private final AttemptReport report;
            private final RequestDescription requestDescription;
            private final TransportRequest transportRequest;
            private final Iterator<Duration> backoffs;
            private final String total;
            private int number;
            private boolean unauthorized;

            RequestRetries(
                    NetworkSettings settings,
                    RequestDescription requestDescription,
                    TransportRequest transportRequest,
                    MissingPermissions missing,
                    AttemptReport report) {
                this.missing = missing;
                this.report = report;
                this.settings = settings;
                this.requestDescription = requestDescription;
                this.transportRequest = transportRequest;
                this.backoffs = settings.retries().backoffs().iterator();
                this.total =
                        settings.retries().backoffs() instanceof Collection<?> sized ? "/" + (sized.size() + 1L) : "";
            }

            void begin() {
                number++;
                if (number > 1) {
                    log.debug("Request attempt #{}{}: {}", number, total, transportRequest);
                }
            }

            void succeeded() {
                missing.granted(requestDescription);
                report.succeeded();
                if (number > 1) {
                    log.debug("Request attempt #{}{} succeeded: {}", number, total, transportRequest);
                }
            }

            /**
             * True for the first 401 only: the request is then repeated at once with new credentials, and the attempt
             * does not count. After a second 401 it waits, so that a broken login does not cause a busy loop.
             */
            boolean isFirstUnauthorized() {
                boolean first = !unauthorized;
                unauthorized = true;
                if (first) {
                    doNotCount();
                }
                return first;
            }

            /** The last attempt is made again at once, on another connection. */
            void doNotCount() {
                number--;
            }

            /**
             * Returns the delay before the next attempt; throws the failure if no attempt is left.
             *
             * @param told true if somebody else tells that it has failed
             */
            Duration delayAfter(String server, ClientException failure, boolean told) {
                boolean lacking = failure instanceof ForbiddenException e && lacksPermission(e);
                if (lacking) {
                    missing.report(requestDescription, failure);
                }
                if (!isRetryable(failure)) {
                    throw failure;
                }
                if (!backoffs.hasNext()) {
                    log.debug(
                            "Request attempt #{}{} failed; escalating: {} {}{}",
                            number,
                            total,
                            transportRequest.method(),
                            server,
                            transportRequest.path());
                    throw failure;
                }
                Duration delay = atLeastRetryAfter(backoffs.next(), failure);
                // Missing permissions and rejected credentials were reported already, once for all requests that need
                // them.
                boolean known = lacking || failure instanceof UnauthorizedException;
                String line = "Request attempt #%s%s failed; will retry: %s %s%s -> %s"
                        .formatted(
                                number,
                                total,
                                transportRequest.method(),
                                server,
                                transportRequest.path(),
                                failure.getMessage());
                if (told || known) {
                    log.debug(line);
                } else {
                    report.failed(failure, line);
                }
                return delay;
            }

            private boolean isRetryable(ClientException failure) {
                return switch (failure) {
                    // Roles are often granted a moment later, and accounts and quotas of a new namespace are made; one
                    // that is being deleted never comes back.
                    case ForbiddenException e -> settings.retries().forbidden() && !isFinal(e);
                    case TooManyRequestsException e -> true;
                    case UnauthorizedException e -> true;
                    case ServerErrorException e -> !isCreation() && !e.isTooLarge() && !e.isRefusedApply();
                    case ConnectionFailedException e -> !isCreation() || e.neverOpen();
                    default -> false;
                };
            }

            private static boolean lacksPermission(ForbiddenException refusal) {
                return !refusal.isAboutContent() && !isFinal(refusal);
            }

            private static boolean isFinal(ForbiddenException refusal) {
                return refusal.isNamespaceEnding() || refusal.isDenied();
            }

            private boolean isCreation() {
                return transportRequest.method().equals("POST");
            }

            private Duration atLeastRetryAfter(Duration backoff, ClientException failure) {
                Duration hint = failure instanceof ApiException e
                        ? e.retryAfter().map(RequestRetries::atMostTheLongest).orElse(null)
                        : null;
                if (hint == null || !(settings.retries().enforceRetryAfter() || hint.compareTo(backoff) > 0)) {
                    return backoff;
                }
                log.debug(
                        "Overriding the backoff {}s with the retry-after {}s from the server: {}",
                        seconds(backoff),
                        hint.toSeconds(),
                        transportRequest);
                return hint;
            }

            private static Duration atMostTheLongest(Duration hint) {
                return hint.compareTo(LONGEST_RETRY_AFTER) < 0 ? hint : LONGEST_RETRY_AFTER;
            }

            private static String seconds(Duration delay) {
                return delay.toNanosPart() == 0
                        ? Long.toString(delay.toSeconds())
                        : Double.toString(delay.toNanos() / 1e9);
            }
        }

        /**
         * Tells of attempts that are made again. While nothing answers, those for all objects fail again and again: the
         * log gets sums then. Thread-safe.
         */
        static final class AttemptReport {
            private static final int TOLD_BY_THEMSELVES = 5;

            private final FailureSums failures;

            AttemptReport(Platform platform) {
                this.failures = new FailureSums(platform, TOLD_BY_THEMSELVES);
            }

            void failed(ClientException failure, String line) {
                switch (failure.mayMeetAll() ? failures.failed() : new Telling.ByItself()) {
                    case Telling.ByItself() -> log.error(line);
                    case Telling.InSum(int times, Duration within) ->
                        log.error(
                                "K4-025: {} more attempts of requests have failed within {}, and are made again; the last"
                                        + " one: {}",
                                times,
                                DurationText.format(within),
                                line);
                    case Telling.Later() -> log.debug(line);
                }
            }

            void succeeded() {
                int over = failures.succeeded();
                if (over > TOLD_BY_THEMSELVES) {
                    log.info("Requests succeed again, after {} attempts that failed.", over);
                }
            }
        }

        /**
         * Reports each missing permission once, with the RBAC rule that grants it; and once more if it was granted in
         * between. A rule may name objects: what is granted for one of them does not count for another one.
         * Thread-safe.
         */
        static final class MissingPermissions {
            /** They have namespaces, which come and go. Beyond it all are forgotten: some may be told twice. */
            private static final int REPORTED_MAX = 1000;

            /** Nobody who may not read namespaces can tell whether that is so. */
            private static final String WHERE_ROLES_GO_FIRST =
                    " (If the namespace is being deleted, its Roles went first: only a ClusterRole can grant it now.)";

            private final Set<String> reported = ConcurrentHashMap.newKeySet();
            /** The same with the objects for which they were told, and not granted since. */
            private final Set<String> refused = ConcurrentHashMap.newKeySet();

            void report(RequestDescription requestDescription, ClientException refusal) {
                String permission = requestDescription.permission();
                if (reported.contains(permission) || !refused.add(ofObject(requestDescription))) {
                    return;
                }
                if (refused.size() > REPORTED_MAX) {
                    refused.clear();
                    reported.clear();
                }
                if (reported.add(permission)) {
                    log.warn(
                            "K4-004: Not permitted: {}. A role needs the rule {}. {}{}",
                            requestDescription.permission(),
                            requestDescription.rbacRule(),
                            refusal.getMessage(),
                            requestDescription.namespace() == null ? "" : WHERE_ROLES_GO_FIRST);
                }
            }

            void granted(RequestDescription requestDescription) {
                if (!refused.isEmpty()) {
                    refused.remove(ofObject(requestDescription));
                    reported.remove(requestDescription.permission());
                }
            }

            private static String ofObject(RequestDescription requestDescription) {
                return requestDescription.permission() + " " + requestDescription.name();
            }
        }
    }

    /**
     * The open stream of a response, with the request that it answers.
     *
     * @param requestDescription the request, for messages
     * @param server the server's address, for messages
     * @param stream the body of the response; the caller closes it
     */
    public record OpenResponse(RequestDescription requestDescription, String server, ResponseStream stream) {
        /** Makes the exception for a response that is not complete. */
        public ConnectionFailedException broken(IOException cause) {
            return new ConnectionFailedException(requestDescription.describe(), server, cause);
        }

        /** Converts the I/O form of an interruption back into an InterruptedException. */
        public static InterruptedException interrupted(InterruptedIOException e) {
            // The flag was set for callers that do not know of the interruption; from here on, the exception tells it.
            var _ = Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(e.getMessage());
            interrupted.initCause(e);
            return interrupted;
        }
    }

    /** Is told of the failed attempts of a request that are made again. */
    @FunctionalInterface
    public interface RetryListener {
        /** Ignores all. */
        RetryListener NONE = failure -> {};

        /** An attempt failed; another one follows after a delay, unless this throws the failure. */
        void retrying(ClientException failure);
    }
}
