package dev.kopf4j.devcluster.http;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.certificate.TlsCertificates;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on an address and passes requests to a server; each connection has a virtual thread of its own. */
public final class HttpFrontend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);
    private static final int BACKLOG = 1024;
    private static final Duration THREAD_END = Duration.ofSeconds(5);
    private final ServerSocket server;
    private final Optional<TlsCertificates> tls;
    private final ExecutorService threads;
    private final Consumer<String> log;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread listener;

    private HttpFrontend(ServerSocket server, Optional<TlsCertificates> tls, Consumer<String> log) {
        this.server = server;
        this.tls = tls;
        this.log = log;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("devcluster-http-", 0).factory());
    }

    /**
     * Binds a port of an address; clients that connect wait until {@link #start}.
     *
     * @param address loopback, as a rule
     * @param port 0 for a free one
     * @param tls gives the certificates once the port is bound; empty for plain HTTP
     * @param requestLog gets a line for each answered request, from any thread
     * @throws UncheckedIOException if the port is in use
     */
    public static HttpFrontend bind(
            InetAddress address, int port, Optional<Supplier<TlsCertificates>> tls, Consumer<String> requestLog) {
        ServerSocket server = listenOn(address, port);
        return new HttpFrontend(server, tls.map(Supplier::get), requestLog);
    }

    private static ServerSocket listenOn(InetAddress address, int port) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(address, port), BACKLOG);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the dev cluster cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage(),
                    e);
        }
    }

    /** Serves clients from now on. */
    public void start(Function<ApiRequest, ApiResponse> handler) {
        Optional<SSLContext> context = tls.map(TlsCertificates::context);
        listener = Thread.ofVirtual().name("devcluster-listener").start(() -> listen(handler, context));
    }

    private void listen(Function<ApiRequest, ApiResponse> handler, Optional<SSLContext> context) {
        while (!server.isClosed()) {
            try {
                serve(server.accept(), handler, context);
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.atDebug().setCause(e).log("no connection could be accepted");
                }
            }
        }
    }

    private void serve(Socket accepted, Function<ApiRequest, ApiResponse> handler, Optional<SSLContext> context)
            throws IOException {
        try {
            accepted.setTcpNoDelay(true);
            accepted.setKeepAlive(true);
            HttpConnection httpConnection = new HttpConnection(secured(accepted, context), handler, log, threads);
            connections.add(httpConnection);
            threads.execute(() -> {
                try {
                    httpConnection.run();
                } finally {
                    connections.remove(httpConnection);
                }
            });
        } catch (IOException | RejectedExecutionException e) {
            accepted.close();
            LOG.atDebug().setCause(e).log("a connection was refused");
        }
    }

    private static Socket secured(Socket accepted, Optional<SSLContext> context) throws IOException {
        if (context.isEmpty()) {
            return accepted;
        }
        SSLSocket secured = (SSLSocket) context.get()
                .getSocketFactory()
                .createSocket(accepted, accepted.getInetAddress().getHostAddress(), accepted.getPort(), true);
        secured.setUseClientMode(false);
        secured.setWantClientAuth(true);
        // As real API servers, which take the cipher that the client offers first.
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setUseCipherSuitesOrder(false);
        secured.setSSLParameters(parameters);
        return secured;
    }

    /** The authority that clients trust, once it is made; none without TLS. */
    public Optional<CertificateAuthority> authority() {
        return tls.map(TlsCertificates::authority);
    }

    /** A certificate and key for a client as PEM, the certificate first; none without TLS. */
    public Optional<String> clientCertificate(String user, List<String> groups) {
        return tls.map(certificates -> certificates.client(user, groups));
    }

    /** The port on which it listens. */
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

    /**
     * Stops listening and ends all connections; the port is free then, and nothing more is written to the data folder.
     */
    @Override
    public void close() {
        close(server);
        // The port is in use until the thread has left accept.
        awaitEnd(listener, "the dev cluster's port may still be taken");
        tls.ifPresent(made -> awaitEnd(made.thread(), "the dev cluster is still making certificates"));
        connections.forEach(HttpConnection::close);
        threads.shutdownNow();
        awaitConnections();
    }

    private void awaitConnections() {
        try {
            if (!threads.awaitTermination(THREAD_END.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("the dev cluster still serves {} connections", connections.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnd(@Nullable Thread thread, String otherwise) {
        try {
            if (thread != null && !thread.join(THREAD_END)) {
                LOG.atWarn().log(otherwise);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
