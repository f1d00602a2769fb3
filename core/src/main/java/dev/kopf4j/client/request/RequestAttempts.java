package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.login.ApiServerConnection;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.ClosedTransportException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/**
 * Makes the attempts of requests until one succeeds or {@link RequestRetries} says that there is none left. Each
 * attempt takes the connection that is in use at that moment. Thread-safe.
 */
record RequestAttempts(
        Platform platform, ConnectionProvider connections, NetworkSettings settings, MissingPermissions missing) {

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
        return RequestFailures.connectionFailed(description, connection.server(), cause);
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
}
