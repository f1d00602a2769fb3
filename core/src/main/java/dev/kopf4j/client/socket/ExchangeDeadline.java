package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends an exchange that takes too long: when the deadline comes, it closes the socket, and whoever reads, writes or
 * connects fails at once. Thread-safe.
 *
 * <p>The deadline is an entry in a schedule that all requests share. A timed read costs much more, because the JVM
 * wakes a thread of its own twice for it.
 */
final class ExchangeDeadline implements AutoCloseable {
    /** Guards the fields that are not final. */
    private final Monitor monitor;

    private final Platform platform;
    private final Deadline deadline;
    private final ScheduledAction end;
    private @Nullable Socket socket;
    private boolean over;
    private boolean expired;

    /** Starts to wait for the deadline. */
    ExchangeDeadline(Platform platform, Deadline deadline, ActionSchedule deadlines) {
        this.platform = platform;
        this.deadline = deadline;
        this.monitor = platform.monitor();
        this.end = deadlines.at(deadline, this::expire);
    }

    /**
     * Tells which socket is used from now on.
     *
     * @throws RequestTimeoutException if the deadline has come already
     */
    void uses(Socket used) throws RequestTimeoutException {
        boolean tooLate = monitor.locked(() -> {
            socket = used;
            return expired;
        });
        if (tooLate) {
            throw timeout("", null);
        }
    }

    private void expire() {
        Optional<Socket> late = monitor.locked(() -> {
            expired = !over;
            return over ? Optional.empty() : Optional.ofNullable(socket);
        });
        late.ifPresent(ServerConnection::abort);
    }

    /** Closes the socket before its time. */
    void abort() {
        monitor.locked(() -> Optional.ofNullable(socket)).ifPresent(ServerConnection::abort);
    }

    /** The time that is left. */
    Duration remaining() {
        return deadline.remaining(platform);
    }

    /** True if the deadline came before the end: the socket is closed. */
    boolean isExpired() {
        return monitor.locked(() -> expired);
    }

    /** Not in time, from somebody who is to be named if it is not the server. */
    static RequestTimeoutException timeout(String from, @Nullable Exception cause) {
        RequestTimeoutException late = new RequestTimeoutException("no answer in time" + from);
        late.initCause(cause);
        return late;
    }

    /** The exchange is over: the deadline does nothing any more. */
    @Override
    public void close() {
        monitor.locked(() -> {
            over = true;
        });
        end.cancel();
    }
}
