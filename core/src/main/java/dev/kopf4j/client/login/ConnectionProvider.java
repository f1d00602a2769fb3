package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.runtime.Deadline;

/** Hands out the connection for the next request. Thread-safe. */
public interface ConnectionProvider extends AutoCloseable {
    /**
     * Returns the connection for the next request; logs in first if there is none.
     *
     * @throws NoCredentialsException if no login gives valid credentials
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    ApiServerConnection current() throws InterruptedException;

    /**
     * Reports that a request with the credentials of this connection was rejected. They are not used any more if the
     * API server itself rejects them, too.
     *
     * @param until how long the server may be asked: the deadline of the request
     * @return false if they stay in use: as far as is known, the rejection is about that request alone
     * @throws UnauthorizedException the given reason, if there are no other credentials
     * @throws InterruptedException if the task is interrupted while the server is asked
     */
    boolean reject(ApiServerConnection rejected, UnauthorizedException reason, Deadline until)
            throws InterruptedException;

    /**
     * Reports that the TLS handshake failed, perhaps because the certificates were replaced on disk. The vault then
     * drops the credential, at most once a minute, so that the next request logs in again; other implementations ignore
     * it.
     */
    default void tlsFailed(ApiServerConnection apiServerConnection) {}

    /**
     * Returns the credential for the next request of another client, to which the server does not accept this one; the
     * same one if there are no others.
     *
     * @throws NoCredentialsException if no login gives valid credentials
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    default ConnectionInfo renew(ConnectionInfo rejected) throws InterruptedException {
        return rejected;
    }

    /**
     * Returns the credential for the next request of another client, whose TLS handshake has failed with this one; see
     * {@link #tlsFailed(ApiServerConnection)}.
     *
     * @throws NoCredentialsException if no login gives valid credentials
     * @throws InterruptedException if the task is interrupted while it waits for a login
     */
    default ConnectionInfo tlsFailed(ConnectionInfo used) throws InterruptedException {
        return used;
    }

    /**
     * Returns the credential that is used now instead of this one, without a login; the same while it is in use, or if
     * there is none.
     */
    default ConnectionInfo latest(ConnectionInfo used) {
        return used;
    }

    /**
     * How often requests have gone on at another server than before, or at one with another authority: maybe another
     * cluster, of which nothing is known.
     */
    default int serverChanges() {
        return 0;
    }

    /** Closes the transports. */
    @Override
    void close();

    /** Makes a provider of a single connection that is never replaced. */
    static ConnectionProvider fixed(ApiServerConnection apiServerConnection) {
        return new FixedConnectionProvider(apiServerConnection);
    }

    /** Hands out one connection that is never replaced. */
    record FixedConnectionProvider(ApiServerConnection current) implements ConnectionProvider {
        @Override
        public boolean reject(ApiServerConnection rejected, UnauthorizedException reason, Deadline until) {
            throw reason;
        }

        @Override
        public void close() {
            current.transport().close();
        }
    }

    /**
     * A connection to an API server: a transport with one credential.
     *
     * @param transport sends the requests
     * @param server the server's address, for messages
     * @param defaultNamespace the namespace of the credential
     */
    public record ApiServerConnection(Transport transport, String server, String defaultNamespace) {}
}
