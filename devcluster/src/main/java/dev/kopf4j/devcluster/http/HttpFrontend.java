package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.ApiResponse;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on loopback and hands requests on; each connection has a virtual thread of its own. */
public final class HttpFrontend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);
    private static final int BACKLOG = 1024;
    private static final Duration LISTENER_END = Duration.ofSeconds(5);
    private final ServerSocket server;
    private final @Nullable Authority authority;
    private final @Nullable SSLContext tls;
    private final ExecutorService threads;
    private final Consumer<String> log;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread listener;

    private HttpFrontend(ServerSocket server, @Nullable Authority authority, Consumer<String> log) throws IOException {
        this.server = server;
        this.authority = authority;
        this.tls = authority == null ? null : authority.serverContext();
        this.log = log;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("devcluster-http-", 0).factory());
    }

    /** Takes a port of loopback as the options say; clients that connect wait until it is started. */
    public static HttpFrontend bind(Options options) {
        ServerSocket server = bind(options.port());
        try {
            Authority authority = options.https() ? Authority.of(options.data()) : null;
            return new HttpFrontend(server, authority, options.requestLog());
        } catch (IOException e) {
            close(server);
            throw new UncheckedIOException("the dev cluster cannot speak TLS: " + e.getMessage(), e);
        }
    }

    private static ServerSocket bind(int port) {
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(loopback, port), BACKLOG);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the dev cluster cannot listen on 127.0.0.1:" + port + ": " + e.getMessage(), e);
        }
    }

    /** Serves clients from now on. */
    public void start(Function<ApiRequest, ApiResponse> handler) {
        listener = Thread.ofVirtual().name("devcluster-listener").start(() -> listen(handler));
    }

    private void listen(Function<ApiRequest, ApiResponse> handler) {
        while (!server.isClosed()) {
            try {
                serve(server.accept(), handler);
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("no connection could be accepted");
            }
        }
    }

    private void serve(Socket accepted, Function<ApiRequest, ApiResponse> handler) throws IOException {
        try {
            accepted.setTcpNoDelay(true);
            accepted.setKeepAlive(true);
            Connection connection = new Connection(secured(accepted), handler, log, threads);
            connections.add(connection);
            threads.execute(() -> {
                try {
                    connection.run();
                } finally {
                    connections.remove(connection);
                }
            });
        } catch (IOException | RejectedExecutionException e) {
            accepted.close();
            LOG.atDebug().setCause(e).log("a connection was refused");
        }
    }

    private Socket secured(Socket accepted) throws IOException {
        if (tls == null) {
            return accepted;
        }
        SSLSocket secured = (SSLSocket) tls.getSocketFactory()
                .createSocket(accepted, accepted.getInetAddress().getHostAddress(), accepted.getPort(), true);
        secured.setUseClientMode(false);
        secured.setWantClientAuth(true);
        return secured;
    }

    /** The certificate of the authority as PEM; empty without TLS. */
    public String authority() {
        try {
            return authority == null ? "" : authority.pem();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A certificate and key for a client as PEM, the certificate first; none without TLS. */
    public Optional<String> clientCertificate(String user, List<String> groups) {
        try {
            return authority == null ? Optional.empty() : Optional.of(authority.client(user, groups));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    private static void close(ServerSocket server) {
        try {
            server.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the port cannot be closed");
        }
    }

    /** Stops listening and ends all connections; the port is free then. */
    @Override
    public void close() {
        close(server);
        awaitListener();
        connections.forEach(Connection::close);
        threads.shutdownNow();
    }

    /** As long as a thread is in {@code accept}, the port is still taken. */
    private void awaitListener() {
        Thread thread = listener;
        try {
            if (thread != null && !thread.join(LISTENER_END)) {
                LOG.atWarn().log("the dev cluster's port may still be taken");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
