package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.login.ApiServerConnection;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.ClosedTransportException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the attempts of requests until one succeeds or {@link RequestRetries} says that there is none left. Each
 * attempt takes the connection that is in use at that moment. Thread-safe.
 */
record RequestAttempts(
        Platform platform, ConnectionProvider connections, NetworkSettings settings, MissingPermissions missing) {

    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** One attempt on one connection. */
    interface Attempt<T> {
        /**
         * Sends the request, and reads its response.
         *
         * @throws ApiException if the server refuses
         * @throws IOException if there is no complete response
         */
        T on(ApiServerConnection connection) throws IOException, InterruptedException;
    }

    <T> T run(RequestDescription description, TransportRequest request, RetryListener listener, Attempt<T> attempt)
            throws InterruptedException {
        RequestRetries retries = new RequestRetries(settings, description, request, missing);
        while (true) {
            ApiServerConnection connection = connections.current();
            retries.begin();
            try {
                T result = attempt.on(connection);
                retries.succeeded();
                return result;
            } catch (UnauthorizedException e) {
                connections.reject(connection, e);
                if (!retries.isFirstUnauthorized()) {
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
        private final NetworkSettings settings;
        private final MissingPermissions missing;
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
                MissingPermissions missing) {
            this.missing = missing;
            this.settings = settings;
            this.requestDescription = requestDescription;
            this.transportRequest = transportRequest;
            this.backoffs = settings.errorBackoffs().iterator();
            this.total = settings.errorBackoffs() instanceof Collection<?> sized ? "/" + (sized.size() + 1L) : "";
        }

        void begin() {
            number++;
            if (number > 1) {
                log.debug("Request attempt #{}{}: {}", number, total, transportRequest);
            }
        }

        void succeeded() {
            missing.granted(requestDescription);
            if (number > 1) {
                log.debug("Request attempt #{}{} succeeded: {}", number, total, transportRequest);
            }
        }

        /**
         * True for the first 401 only: the request is then repeated at once with new credentials, and the attempt does
         * not count. After a second 401 it waits, so that a broken login does not cause a busy loop.
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
            if (failure instanceof ForbiddenException refusal && !refusal.isNamespaceEnding()) {
                missing.report(requestDescription, refusal);
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
            // Missing permissions and rejected credentials were reported already, once for all requests that need them.
            boolean known = failure instanceof ForbiddenException || failure instanceof UnauthorizedException;
            log.atLevel(told || known ? Level.DEBUG : Level.ERROR)
                    .log(
                            "Request attempt #{}{} failed; will retry: {} {}{} -> {}",
                            number,
                            total,
                            transportRequest.method(),
                            server,
                            transportRequest.path(),
                            failure.getMessage());
            return delay;
        }

        private boolean isRetryable(ClientException failure) {
            return switch (failure) {
                // Roles are often granted a moment later; a namespace that is being deleted never comes back.
                case ForbiddenException e -> !e.isNamespaceEnding();
                case TooManyRequestsException e -> true;
                case UnauthorizedException e -> true;
                case ServerErrorException e -> !isCreation();
                case ConnectionFailedException e -> !isCreation() || e.neverOpen();
                default -> false;
            };
        }

        private boolean isCreation() {
            return transportRequest.method().equals("POST");
        }

        private Duration atLeastRetryAfter(Duration backoff, ClientException failure) {
            Duration hint = failure instanceof ApiException e ? e.retryAfter().orElse(null) : null;
            if (hint == null || !(settings.enforceRetryAfter() || hint.compareTo(backoff) > 0)) {
                return backoff;
            }
            log.debug(
                    "Overriding the backoff {}s with the retry-after {}s from the server: {}",
                    seconds(backoff),
                    hint.toSeconds(),
                    transportRequest);
            return hint;
        }

        private static String seconds(Duration delay) {
            return delay.toNanosPart() == 0 ? Long.toString(delay.toSeconds()) : Double.toString(delay.toNanos() / 1e9);
        }
    }

    /**
     * Reports each missing permission once, with the RBAC rule that grants it; and once more if it was granted in
     * between. Thread-safe.
     */
    static final class MissingPermissions {
        private final Set<String> reported = ConcurrentHashMap.newKeySet();

        void report(RequestDescription requestDescription, ForbiddenException refusal) {
            if (reported.add(requestDescription.permission())) {
                log.warn(
                        "Not permitted: {}. A role needs the rule {}. {}",
                        requestDescription.permission(),
                        requestDescription.rbacRule(),
                        refusal.getMessage());
            }
        }

        void granted(RequestDescription requestDescription) {
            if (!reported.isEmpty()) {
                reported.remove(requestDescription.permission());
            }
        }
    }
}
