package dev.kopf4j.devcluster.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.ApiResponse;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on loopback and hands requests on; each runs on a virtual thread of its own. */
public final class HttpFrontend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);
    private static final int MAX_BODY = 3 << 20;
    private static final int BACKLOG = 1024;

    static {
        // Read once by the JDK's server: without it each small answer waits for the client's delayed ACK.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
    }

    private final HttpServer server;
    private final String authority;
    private final ExecutorService threads;
    private final Function<ApiRequest, ApiResponse> handler;
    private final Consumer<String> log;
    private final Set<WatchWriter> watches = ConcurrentHashMap.newKeySet();

    private HttpFrontend(
            HttpServer server, String authority, Function<ApiRequest, ApiResponse> handler, Consumer<String> log) {
        this.server = server;
        this.authority = authority;
        this.handler = handler;
        this.log = log;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("devcluster-http-", 0).factory());
        server.setExecutor(threads);
        server.createContext("/", this::exchange);
        server.start();
    }

    /** Starts to listen on loopback as the options say. */
    public static HttpFrontend start(Options options, Function<ApiRequest, ApiResponse> handler) {
        int port = options.port();
        Consumer<String> log = options.requestLog();
        try {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
            if (!options.https()) {
                return new HttpFrontend(HttpServer.create(address, BACKLOG), "", handler, log);
            }
            Authority authority = Authority.of(options.data());
            HttpsServer server = HttpsServer.create(address, BACKLOG);
            server.setHttpsConfigurator(new HttpsConfigurator(authority.serverContext()));
            return new HttpFrontend(server, authority.pem(), handler, log);
        } catch (IOException e) {
            throw new UncheckedIOException("the dev cluster cannot listen on 127.0.0.1:" + port, e);
        }
    }

    /** The certificate of the authority as PEM; empty without TLS. */
    public String authority() {
        return authority;
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void exchange(HttpExchange exchange) {
        try (exchange) {
            ApiRequest request = read(exchange);
            ApiResponse response = handler.apply(request);
            write(exchange, response);
            log.accept(request.method() + " " + exchange.getRequestURI() + " " + response.status());
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the client went away");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a request could not be served");
        }
    }

    private static ApiRequest read(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(",", values)));
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        return ApiRequest.of(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body);
    }

    private void write(HttpExchange exchange, ApiResponse response) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        response.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> whole(exchange, response.status(), bytes);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> pieces(exchange, response.status(), pieces);
            case ApiResponse.Events events -> events(exchange, response.status(), events);
        }
    }

    private static void whole(HttpExchange exchange, int status, byte[] bytes) throws IOException {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || bytes.length == 0 ? -1 : bytes.length);
        if (!head && bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void pieces(HttpExchange exchange, int status, Iterable<byte[]> pieces) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (byte[] piece : pieces) {
                out.write(piece);
            }
        }
    }

    private void events(HttpExchange exchange, int status, ApiResponse.Events events) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        try (OutputStream out = exchange.getResponseBody();
                WatchWriter writer = new WatchWriter(events.stream(), out)) {
            watches.add(writer);
            try {
                out.flush();
                writer.run();
            } finally {
                watches.remove(writer);
            }
        }
    }

    /** Stops listening and ends all watches. */
    @Override
    public void close() {
        watches.forEach(WatchWriter::close);
        server.stop(0);
        threads.shutdownNow();
    }
}
