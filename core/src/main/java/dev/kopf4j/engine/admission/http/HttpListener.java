package dev.kopf4j.engine.admission.http;

import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens at a port, and gives each connection a task of its own. Thread-safe. */
public final class HttpListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** API servers keep a handful; the rest is for those who open connections and say nothing. */
    private static final int CONNECTIONS_MAX = 1000;

    private static final int BACKLOG = 1024;

    /** For example while the process has too many open files. */
    private static final Duration RETRIED_AFTER = Duration.ofMillis(100);

    private final Platform platform;
    private final ServerSocket server;
    private final SocketSecurity security;
    private final HttpAnswer answer;
    private final OpenConnections connections;

    private HttpListener(Platform platform, ServerSocket server, SocketSecurity security, HttpAnswer answer) {
        this.platform = platform;
        this.server = server;
        this.security = security;
        this.answer = answer;
        this.connections = new OpenConnections(platform, CONNECTIONS_MAX);
    }

    /**
     * Listens at once.
     *
     * @param security makes connections secure, or leaves them as they are
     * @throws IOException if that is impossible at this address
     */
    public static HttpListener start(
            Platform platform, InetSocketAddress address, SocketSecurity security, HttpAnswer answer)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        HttpListener listener = new HttpListener(platform, server, security, answer);
        platform.spawn("webhook listener", listener::listen);
        return listener;
    }

    /** The port in use. */
    public int port() {
        return server.getLocalPort();
    }

    private void listen() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                platform.spawn("webhook connection", () -> serve(socket));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    log.warn("The webhook server cannot take a connection, and tries again: {}", e.getMessage());
                    pause();
                }
            }
        }
    }

    private void pause() {
        try {
            platform.sleep(RETRIED_AFTER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket socket) {
        ConnectionGuard guard = new ConnectionGuard(platform, socket);
        boolean taken = connections.add(guard);
        try (socket) {
            if (taken) {
                socket.setTcpNoDelay(true);
                serve(security.secured(socket), guard);
            }
        } catch (IOException e) {
            log.debug("A connection to the webhook server has ended: {}", e.toString());
        } finally {
            connections.remove(guard);
        }
    }

    private void serve(Socket secured, ConnectionGuard guard) throws IOException {
        try (secured) {
            new HttpConnection(platform, secured, guard, answer).serve();
            guard.sending(); // the farewell of TLS
        }
    }

    /** Ends, with a grace for requests that have been received. */
    public void stop(Duration grace) throws InterruptedException {
        try (connections) {
            connections.end(grace);
        } finally {
            close();
        }
    }

    private void close() {
        try {
            server.close();
        } catch (IOException e) {
            log.debug("The webhook server's port cannot be closed.", e);
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
}
