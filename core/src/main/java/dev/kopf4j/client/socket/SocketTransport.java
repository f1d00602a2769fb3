package dev.kopf4j.client.socket;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.ClosedTransportException;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over sockets: HTTP/1.1 by Apache HttpCore, a connection for each request in flight and for each watch.
 *
 * <p>Not HTTP/2: one connection for all requests and watches would have one stream's silence or failure be that of all,
 * and servers limit the streams of a connection. {@link NetworkSettings#requestsInFlight} limits the requests in
 * flight: a list counts until the head of its response has come, a watch does not count. Urgent requests have places of
 * their own, as a lease must be renewed whatever waits.
 */
public final class SocketTransport implements Transport {
    private static final int URGENT_IN_FLIGHT = 8;
    private static final Duration CONNECTIONS_KEPT = Duration.ofSeconds(30);

    private final Platform platform;
    private final String server;
    private final ConcurrencyLimit inFlight;
    private final ConcurrencyLimit urgentInFlight;
    private final ActionSchedule deadlines;
    private final ConnectionPool pool;
    private final HttpExchange exchange;

    /**
     * Makes a transport; it connects when it sends its first request.
     *
     * @param deadlines the schedule that holds the deadlines of running requests; it must stay open until this
     *     transport is closed
     * @throws IllegalArgumentException if certificates or keys cannot be read, or if the kind of the proxy is not
     *     supported
     */
    public SocketTransport(Platform platform, ConnectionInfo info, NetworkSettings settings, ActionSchedule deadlines) {
        this.platform = platform;
        this.server = info.server();
        this.deadlines = deadlines;
        this.inFlight = new ConcurrencyLimit(platform, settings.requestsInFlight());
        this.urgentInFlight = new ConcurrencyLimit(platform, URGENT_IN_FLIGHT);
        ServerAddress address = ServerAddress.of(info.server());
        Optional<HttpProxy> proxy = HttpProxy.of(info, settings.trustEnv());
        ConnectionOpener opener = new ConnectionOpener(platform, info, address, proxy, settings.connectTimeout());
        this.pool = new ConnectionPool(platform, opener, deadlines, CONNECTIONS_KEPT);
        this.exchange = new HttpExchange(platform, address, proxy, new AuthorizationHeader(platform, info));
    }

    @Override
    public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException {
        return limited(transportRequest, deadline, exchange::whole);
    }

    @Override
    public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
            throws IOException, InterruptedException {
        return transportRequest.isWatch()
                ? run(transportRequest, headersBy, exchange::streamed)
                : limited(transportRequest, headersBy, exchange::streamed);
    }

    private <T> T limited(TransportRequest transportRequest, Deadline deadline, Exchange<T> how)
            throws IOException, InterruptedException {
        ConcurrencyLimit limit = transportRequest.urgent() ? urgentInFlight : inFlight;
        if (!limit.acquire(deadline, deadlines)) {
            throw new RequestTimeoutException("no free connection for " + transportRequest + " to " + server
                    + " in time: all permitted requests are in flight");
        }
        try {
            return run(transportRequest, deadline, how);
        } finally {
            limit.release();
        }
    }

    private interface Exchange<T> {
        T run(TransportRequest request, ConnectionPool.Lease lease, ExchangeDeadline deadline)
                throws IOException, HttpException;
    }

    private <T> T run(TransportRequest request, Deadline until, Exchange<T> how)
            throws IOException, InterruptedException {
        if (pool.isRetired()) {
            throw closed(null);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try (ExchangeDeadline deadline = new ExchangeDeadline(platform, until, deadlines)) {
            try {
                return attempted(request, deadline, how);
            } catch (IOException | HttpException e) {
                throw translated(e, deadline);
            }
        }
    }

    /** A server may close a connection that rested just when it is used again: what changes nothing is sent again. */
    private <T> T attempted(TransportRequest request, ExchangeDeadline deadline, Exchange<T> how)
            throws IOException, HttpException, InterruptedException {
        while (true) {
            ConnectionPool.Lease lease = pool.lease(deadline);
            try {
                return how.run(request, lease, deadline);
            } catch (NoHttpResponseException e) {
                boolean again = lease.isReused() && request.method().equals("GET") && !deadline.isExpired();
                if (!again) {
                    throw e;
                }
            }
        }
    }

    private IOException translated(Exception failure, ExchangeDeadline deadline) throws InterruptedException {
        if (deadline.isExpired()) {
            return failure instanceof RequestTimeoutException late ? late : ExchangeDeadline.timeout("", failure);
        }
        if (pool.isClosed()) {
            return closed(failure);
        }
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("interrupted while waiting for an answer");
            interrupted.initCause(failure);
            throw interrupted;
        }
        return switch (failure) {
            case NoHttpResponseException e -> new IOException("the server closed the connection without an answer", e);
            case IOException e -> e;
            default -> new IOException("the answer is not HTTP: " + failure.getMessage(), failure);
        };
    }

    private ClosedTransportException closed(@Nullable Exception cause) {
        ClosedTransportException closed = new ClosedTransportException("the connection to " + server + " was replaced");
        if (cause != null) {
            closed.initCause(cause);
        }
        return closed;
    }

    @Override
    public void closeWhenIdle() {
        pool.retire();
    }

    @Override
    public void close() {
        pool.close();
    }
}
