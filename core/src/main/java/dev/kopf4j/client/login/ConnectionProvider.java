package dev.kopf4j.client.login;

import dev.kopf4j.client.error.LoginException;
import dev.kopf4j.client.error.UnauthorizedException;

/** Holds the credentials, and the transports that are made of them. Thread-safe. */
public interface ConnectionProvider extends AutoCloseable {
    /**
     * The connection for the next request; logs in first if need be.
     *
     * @throws LoginException if no credentials can be had
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    ApiServerConnection current() throws InterruptedException;

    /**
     * Tells that the server does not accept this connection's credentials: they are not used any more.
     *
     * @throws UnauthorizedException the given reason, if there is no way to get other ones
     */
    void reject(ApiServerConnection rejected, UnauthorizedException reason);

    /**
     * Tells that this connection could not be secured: its certificates may have been replaced on disk. Heard now and
     * then only; by default never.
     */
    default void tlsFailed(ApiServerConnection apiServerConnection) {}

    /** Closes the transports. */
    @Override
    void close();

    /** A single connection that is never replaced. */
    static ConnectionProvider fixed(ApiServerConnection apiServerConnection) {
        return new FixedConnectionProvider(apiServerConnection);
    }
}
