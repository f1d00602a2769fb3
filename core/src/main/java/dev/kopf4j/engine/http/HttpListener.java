package dev.kopf4j.engine.http;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.FailureSums;
import dev.kopf4j.runtime.FailureSums.Telling;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.text.DurationText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens at a port, and gives each connection a task of its own. Thread-safe. */
public final class HttpListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.http");

    private static final int BACKLOG = 1024;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(1);

    /** For example while the process has too many open files: each pause is twice as long as the one before. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);

    /** Not longer, as probes wait meanwhile. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    private final Platform platform;
    private final ServerSocket server;
    private final Clients clients;
    private final SocketSecurity security;
    private final HttpAnswer answer;
    private final OpenConnections connections;
    private final HttpConnection.BodyBudget budget;
    private final FailureSums failures;
    private final FailureSums refusals;
    private final FailureSums lateAnswers;
    /** True if a connection was closed at once, as all are being answered, until there is room again. */
    private volatile boolean isCrowded;

    private volatile @Nullable Task task;

    HttpListener(Platform platform, ServerSocket server, Clients clients, SocketSecurity security, HttpAnswer answer) {
        this.platform = platform;
        this.server = server;
        this.clients = clients;
        this.security = security;
        this.answer = answer;
        this.failures = new FailureSums(platform, 1);
        this.refusals = new FailureSums(platform, 1);
        this.lateAnswers = new FailureSums(platform, 3);
        this.connections = new OpenConnections(platform, clients, this::check);
        this.budget = HttpConnection.BodyBudget.ofHeap(platform, clients.bodyBytes());
    }

    /**
     * Who is served, and to which extent.
     *
     * @param name of the server, in the log
     * @param connections how many there may be at a time; of more, the one that has waited longest for a request is
     *     cut, or, if none waits, the one whose request has been coming longest
     * @param bodyBytes how long the body of a request may be
     * @param unhindered whether they are served however much else computes; each connection takes a thread of the
     *     machine then
     */
    public record Clients(String name, int connections, int bodyBytes, boolean unhindered) {
        private Task spawn(Platform platform, String task, Runnable body) {
            String full = name + " " + task;
            return unhindered ? platform.spawnUnhindered(full, body) : platform.spawn(full, body);
        }
    }

    /**
     * Listens at once.
     *
     * @param security makes connections secure, or leaves them as they are
     * @throws IOException if that is impossible at this address
     */
    public static HttpListener start(
            Platform platform, InetSocketAddress address, Clients clients, SocketSecurity security, HttpAnswer answer)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        HttpListener listener = new HttpListener(platform, server, clients, security, answer);
        String task = "listener";
        listener.task =
                clients.spawn(platform, task, platform.essential(clients.name() + " " + task, listener::listen));
        return listener;
    }

    /** The port in use. */
    public int port() {
        return server.getLocalPort();
    }

    void listen() {
        Duration pause = PAUSE_MIN;
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                pause = PAUSE_MIN;
                accepted();
                clients.spawn(platform, "connection", () -> serve(socket));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    refused(e);
                    pause(pause);
                    Duration doubled = pause.multipliedBy(2);
                    pause = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
                }
            }
        }
    }

    private void accepted() {
        int over = failures.succeeded();
        if (over > 0) {
            log.info("The {} server takes connections again, after {} attempts that failed.", clients.name(), over);
        }
    }

    private void refused(IOException failure) {
        switch (failures.failed()) {
            case Telling.ByItself() ->
                log.warn(
                        "The {} server cannot take a connection, and tries again: {}",
                        clients.name(),
                        failure.getMessage());
            case Telling.InSum(int times, Duration within) ->
                log.warn(
                        "The {} server could not take a connection {} more times within {}, now: {}",
                        clients.name(),
                        times,
                        DurationText.format(within),
                        failure.getMessage());
            case Telling.Later() ->
                log.debug("The {} server cannot take a connection again: {}", clients.name(), failure.getMessage());
        }
    }

    private void pause(Duration pause) {
        try {
            platform.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket socket) {
        ConnectionGuard guard = new ConnectionGuard(platform, clients.name(), socket);
        boolean taken = connections.add(guard);
        try (socket) {
            if (taken) {
                socket.setTcpNoDelay(true);
                serve(security.secured(socket), guard);
            } else {
                connections.longestAnswered().ifPresent(this::refusedFor);
            }
        } catch (IOException e) {
            log.debug("A connection to the {} server has ended: {}", clients.name(), e.toString());
        } finally {
            connections.remove(guard);
        }
    }

    /** Nobody else notices: the client hears that the connection was closed, and of no reason. */
    private void refusedFor(ConnectionGuard longest) {
        isCrowded = true;
        answer.crowded(true);
        switch (refusals.failed()) {
            case Telling.ByItself() ->
                log.warn(
                        "The {} server closes a connection at once, as all its {} are being answered. The one that takes"
                                + " longest is {}",
                        clients.name(),
                        clients.connections(),
                        longest.work());
            case Telling.InSum(int times, Duration within) ->
                log.warn(
                        "The {} server has closed {} more connections at once within {}, as all its {} are being answered."
                                + " The one that takes longest is {}",
                        clients.name(),
                        times,
                        DurationText.format(within),
                        clients.connections(),
                        longest.work());
            case Telling.Later() ->
                log.debug("The {} server closes a connection at once again, as all are answered.", clients.name());
        }
    }

    /** Looks each second at how long all take. */
    private void check(List<ConnectionGuard> guards) {
        boolean inTime = true;
        for (ConnectionGuard each : guards) {
            if (each.check()) {
                inTime = false;
                tellLate(each);
            }
        }
        if (inTime) {
            int _ = lateAnswers.succeeded();
        }
        if (isCrowded && !connections.areAllAnswered()) {
            isCrowded = false;
            answer.crowded(false);
        } else if (!isCrowded) {
            int _ = refusals.succeeded();
        }
    }

    private void tellLate(ConnectionGuard guard) {
        switch (lateAnswers.failed()) {
            case Telling.ByItself() ->
                log.warn(
                        "A request to the {} server was not answered in time, and is interrupted: {}",
                        clients.name(),
                        guard.work());
            case Telling.InSum(int times, Duration within) ->
                log.warn(
                        "{} more requests to the {} server were not answered in time within {}, such as {}",
                        times,
                        clients.name(),
                        DurationText.format(within),
                        guard.work());
            case Telling.Later() ->
                log.debug("A request to the {} server was not answered in time: {}", clients.name(), guard.work());
        }
    }

    private void serve(Socket secured, ConnectionGuard guard) throws IOException {
        try (secured) {
            new HttpConnection(platform, secured, guard, clients.bodyBytes(), budget, answer).serve();
            guard.sending(); // the farewell of TLS
        }
    }

    /** Ends, with a grace for requests that have been received; then the port is free. */
    public void stop(Duration grace) throws InterruptedException {
        try (connections) {
            connections.end(grace);
        } finally {
            close();
        }
        Task listening = task;
        if (listening != null) {
            listening.join(platform.after(CLOSED_WITHIN)); // who accepts still holds the port
        }
    }

    private void close() {
        try {
            server.close();
        } catch (IOException e) {
            log.debug("The port of the {} server cannot be closed.", clients.name(), e);
        }
    }

    /** Makes the connections of clients secure, or leaves them as they are. Thread-safe. */
    @FunctionalInterface
    public interface SocketSecurity {
        /** No security: plain HTTP. */
        SocketSecurity NONE = socket -> socket;

        /**
         * The socket to be used in place of an accepted one, which it closes when it is closed. No bytes are exchanged.
         */
        Socket secured(Socket accepted) throws IOException;
    }

    /** The guards of all connections, whose deadlines are looked at each second. Thread-safe. */
    private static final class OpenConnections implements AutoCloseable {
        private static final Duration CHECKED_EVERY = Duration.ofSeconds(1);
        private static final Duration ASKED_EVERY = Duration.ofMillis(10);
        private final Platform platform;
        private final Monitor monitor;
        private final int most;
        private final Task checks;

        // Guarded by the monitor.
        private final Set<ConnectionGuard> guards = new HashSet<>();
        private boolean ended;

        /**
         * None yet.
         *
         * @param checked gets all of them each second
         */
        OpenConnections(Platform platform, Clients clients, Consumer<List<ConnectionGuard>> checked) {
            this.platform = platform;
            this.monitor = platform.monitor();
            this.most = clients.connections();
            this.checks = platform.spawn(clients.name() + " deadlines", () -> check(checked));
        }

        /**
         * Adds a connection. If there are too many, the one that has waited longest for a request has to go; else one
         * that takes its time for it, so that slow clients do not keep others out.
         *
         * @return false if all are answered now, or the end has come
         */
        boolean add(ConnectionGuard guard) {
            return monitor.locked(() -> {
                if (guards.size() >= most) {
                    Optional<ConnectionGuard> oldest = guards.stream()
                            .filter(each -> !each.isAnswered())
                            .min(Comparator.comparing(ConnectionGuard::isWaiting, Comparator.reverseOrder())
                                    .thenComparing(ConnectionGuard::deadline));
                    oldest.ifPresent(ConnectionGuard::cut);
                    oldest.ifPresent(guards::remove);
                }
                return !ended && guards.size() < most && guards.add(guard);
            });
        }

        void remove(ConnectionGuard guard) {
            monitor.locked(() -> {
                guards.remove(guard);
            });
        }

        /** True if nobody else can be served. */
        boolean areAllAnswered() {
            List<ConnectionGuard> now = all();
            return now.size() >= most && now.stream().allMatch(ConnectionGuard::isAnswered);
        }

        /** The one that takes longest; empty when the server has ended. */
        Optional<ConnectionGuard> longestAnswered() {
            return monitor.locked(() -> ended
                    ? Optional.<ConnectionGuard>empty()
                    : guards.stream().min(Comparator.comparing(ConnectionGuard::deadline)));
        }

        private List<ConnectionGuard> all() {
            return monitor.locked(() -> List.copyOf(guards));
        }

        private void check(Consumer<List<ConnectionGuard>> checked) {
            try {
                while (true) {
                    platform.sleep(CHECKED_EVERY);
                    checked.accept(all());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server ends
            }
        }

        /** Waits until no request is being received or answered, but not longer than this; then cuts all. */
        void end(Duration grace) throws InterruptedException {
            Deadline deadline = platform.after(grace);
            try {
                while (!deadline.hasPassed(platform) && !all().stream().allMatch(ConnectionGuard::isWaiting)) {
                    platform.sleep(ASKED_EVERY);
                }
            } finally {
                monitor.locked(() -> {
                    ended = true;
                });
                all().forEach(ConnectionGuard::cut);
            }
        }

        @Override
        public void close() {
            checks.interrupt();
        }
    }

    /** Answers requests. Thread-safe; interrupted if it takes too long. */
    @FunctionalInterface
    public interface HttpAnswer {
        /** The reply to a request; whatever it throws closes the connection without one. */
        HttpReply to(HttpRequest request);

        /** From now on connections are closed at once, as all are being answered; or there is room again. */
        default void crowded(boolean isSo) {}
    }

    /**
     * What goes back to an HTTP client.
     *
     * @param headers beyond those of every reply
     * @param isLast true if the connection is closed after it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record HttpReply(int status, String type, byte[] body, Map<String, String> headers, boolean isLast) {
        private static final int OK = 200;

        /** A good reply. */
        public static HttpReply json(byte[] body) {
            return new HttpReply(OK, "application/json", body, Map.of(), false);
        }

        /** A bad one, in words. */
        public static HttpReply problem(int status, String message) {
            byte[] body = (message + "\n").getBytes(StandardCharsets.UTF_8);
            return new HttpReply(status, "text/plain; charset=utf-8", body, Map.of(), false);
        }

        /** The same with a header. */
        public HttpReply with(String name, String value) {
            return new HttpReply(status, type, body, Map.of(name, value), isLast);
        }

        /** The same, after which the connection is closed. */
        public HttpReply asLast() {
            return new HttpReply(status, type, body, headers, true);
        }
    }
}
