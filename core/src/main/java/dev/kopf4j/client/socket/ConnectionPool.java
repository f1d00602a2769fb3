package dev.kopf4j.client.socket;

import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolEntry;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.pool.StrictConnPool;
import org.apache.hc.core5.util.TimeValue;

/**
 * The connections to one server: those in use, and those that wait for the next request. The last one used is the first
 * one to be used again; what nobody has used for some time is closed. Thread-safe.
 */
final class ConnectionPool {
    private static final String CLOSED = "the connections are closed";

    private final ConnectionOpener opener;
    private final ActionSchedule schedule;
    private final Duration kept;
    private volatile boolean retired;
    private final StrictConnPool<ConnectionPool, ServerConnection> pool = new StrictConnPool<>(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            TimeValue.NEG_ONE_MILLISECOND,
            PoolReusePolicy.LIFO,
            ServerConnection::close,
            null);

    private final AtomicBoolean tidyingUpLater = new AtomicBoolean();

    /** Guards the exchanges below. */
    private final Monitor monitor;

    /** Exchanges whose connection is being opened: the pool of the library does not know these connections yet. */
    private final Set<ExchangeDeadline> opening = new HashSet<>();

    /**
     * Makes an empty pool.
     *
     * @param kept how long a connection waits for the next request
     */
    ConnectionPool(Platform platform, ConnectionOpener opener, ActionSchedule schedule, Duration kept) {
        this.opener = opener;
        this.kept = kept;
        this.schedule = schedule;
        this.monitor = platform.monitor();
    }

    /** A connection that its holder alone uses, until it is given back. */
    final class Lease {
        private final PoolEntry<ConnectionPool, ServerConnection> entry;
        private final ServerConnection connection;
        private final boolean reused;

        private Lease(PoolEntry<ConnectionPool, ServerConnection> entry, ServerConnection connection, boolean reused) {
            this.entry = entry;
            this.connection = connection;
            this.reused = reused;
        }

        ServerConnection connection() {
            return connection;
        }

        /** True if other requests have used the connection before. */
        boolean isReused() {
            return reused;
        }

        /** Gives the connection back, or closes it. Once only. */
        void release(boolean reusable) {
            boolean resting = reusable && !isRetired();
            if (resting) {
                connection.rest();
                entry.updateExpiry(TimeValue.of(kept));
            }
            pool.release(entry, resting);
            if (resting) {
                tidyUpLater();
            }
        }
    }

    /**
     * Takes a connection that waits, or opens one.
     *
     * @param deadline is told of the connection's socket
     * @throws java.net.ConnectException if it cannot be opened
     */
    Lease lease(ExchangeDeadline deadline) throws IOException, InterruptedException {
        PoolEntry<ConnectionPool, ServerConnection> entry = entry();
        boolean leased = false;
        try {
            ServerConnection rested = entry.getConnection();
            boolean reused = rested != null && rested.isUsable();
            ServerConnection connection = reused ? rested : opened(entry, deadline);
            deadline.uses(connection.socket());
            leased = true;
            return new Lease(entry, connection, reused);
        } finally {
            if (!leased) {
                pool.release(entry, false);
            }
        }
    }

    private ServerConnection opened(PoolEntry<ConnectionPool, ServerConnection> entry, ExchangeDeadline deadline)
            throws IOException {
        entry.discardConnection(CloseMode.IMMEDIATE);
        monitor.locked(() -> opening.add(deadline));
        try {
            ServerConnection opened = opener.open(deadline);
            entry.assignConnection(opened);
            if (pool.isShutdown()) {
                // Its entry is not looked after any more.
                opened.close();
                throw new IOException(CLOSED);
            }
            return opened;
        } finally {
            monitor.locked(() -> opening.remove(deadline));
        }
    }

    private PoolEntry<ConnectionPool, ServerConnection> entry() throws IOException, InterruptedException {
        try {
            return pool.lease(this, null).get();
        } catch (ExecutionException | IllegalStateException e) {
            throw new IOException(CLOSED, e);
        }
    }

    private void tidyUpLater() {
        if (tidyingUpLater.compareAndSet(false, true)) {
            schedule.after(kept, this::tidyUp);
        }
    }

    private void tidyUp() {
        tidyingUpLater.set(false);
        pool.closeExpired();
        if (pool.getTotalStats().getAvailable() > 0) {
            tidyUpLater();
        }
    }

    /** True if no new requests are wanted. */
    boolean isRetired() {
        return retired;
    }

    /** True if all connections are closed. */
    boolean isClosed() {
        return pool.isShutdown();
    }

    /** Closes each connection as soon as nobody uses it. */
    void retire() {
        retired = true;
        pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    /** Closes all connections, those that are being opened included. */
    void close() {
        retire();
        pool.close(CloseMode.IMMEDIATE);
        monitor.locked(() -> List.copyOf(opening)).forEach(ExchangeDeadline::abort);
    }
}
