package dev.kopf4j.engine.http;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds one connection to its deadlines, and breaks it off when its time is over. Thread-safe. */
final class ConnectionGuard {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.http");

    /** What a connection is about, and how long that may take. */
    private enum Phase {
        /** Longer than the 90 seconds of Go's clients: who writes while the other side closes, has lost a request. */
        WAITING(Duration.ofMinutes(2)),
        /** The handshake, or a request. API servers are near, and send a few megabytes at most. */
        RECEIVING(Duration.ofSeconds(10)),
        /** Longer than the 30 seconds that API servers wait at most. */
        ANSWERING(Duration.ofSeconds(60)),
        SENDING(Duration.ofSeconds(10));

        private final Duration within;

        Phase(Duration within) {
            this.within = within;
        }
    }

    /**
     * What is done now.
     *
     * @param request the one that is answered; empty if none is
     */
    private record Stage(Phase phase, Deadline deadline, String request) {}

    private final Platform platform;
    private final String server;
    private final Socket socket;
    private final Thread thread;

    /** Between the end of an answer and an interrupt of it. */
    private final Monitor monitor;

    private volatile Stage stage;

    /** The answer that was found to take too long; for whoever checks. */
    private @Nullable Stage overdue;

    /** Guards the calling thread, which is the only one that uses the socket. */
    ConnectionGuard(Platform platform, String server, Socket socket) {
        this.platform = platform;
        this.server = server;
        this.socket = socket;
        this.thread = Thread.currentThread();
        this.monitor = platform.monitor();
        this.stage = stage(Phase.RECEIVING);
    }

    private Stage stage(Phase phase) {
        return new Stage(phase, platform.after(phase.within), "");
    }

    /** Nothing has been received of the next request. */
    void waiting() {
        stage = stage(Phase.WAITING);
    }

    /** Something of it has been received. */
    void receiving() {
        stage = stage(Phase.RECEIVING);
    }

    /**
     * The request is there; it is answered now.
     *
     * @param request in words for people
     */
    void answering(String request) {
        stage = new Stage(Phase.ANSWERING, platform.after(Phase.ANSWERING.within), request);
    }

    /** The reply is there; it is sent now. The thread is not interrupted from here on. */
    void sending() {
        monitor.locked(() -> {
            stage = new Stage(Phase.SENDING, platform.after(Phase.SENDING.within), stage.request);
        });
    }

    /** True if nobody loses anything when the connection is cut. */
    boolean isWaiting() {
        return stage.phase == Phase.WAITING;
    }

    /** True if its request is there, and not yet all of the reply. */
    boolean isAnswered() {
        Phase phase = stage.phase;
        return phase == Phase.ANSWERING || phase == Phase.SENDING;
    }

    /** How long its client takes for a request, or for the reply; zero while the server is at work. */
    Duration slowFor() {
        Stage now = stage;
        return now.phase == Phase.ANSWERING ? Duration.ZERO : now.phase.within.minus(now.deadline.remaining(platform));
    }

    /** When its time is over. */
    Deadline deadline() {
        return stage.deadline;
    }

    /**
     * Breaks off what has taken too long.
     *
     * @return true if that is an answer, which is found the first time
     */
    boolean check() {
        Stage now = stage;
        if (!now.deadline.hasPassed(platform)) {
            return false;
        }
        boolean isFound = now.phase == Phase.ANSWERING && !now.equals(overdue);
        if (now.phase == Phase.ANSWERING) {
            overdue = now;
            monitor.locked(() -> {
                if (stage.equals(now)) {
                    thread.interrupt();
                }
            });
        } else {
            log.debug("A connection to the {} server is cut, as it has taken too long: {}.", server, now.phase);
            cut();
        }
        return isFound;
    }

    /** Which request is answered, and where in the code. */
    String work() {
        return stage.request + ", at:\n"
                + Arrays.stream(thread.getStackTrace())
                        .takeWhile(frame -> !frame.getClassName().equals(HttpConnection.class.getName()))
                        .map(frame -> "    at " + frame)
                        .collect(Collectors.joining("\n"));
    }

    /** Closes the connection under the hands of whoever reads or writes. */
    void cut() {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("A connection cannot be closed.", e);
        }
    }
}
