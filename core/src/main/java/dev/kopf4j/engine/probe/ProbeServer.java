package dev.kopf4j.engine.probe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.OperatorException;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Answers at endpoints, each by its page; endpoints of one host and port share a listener. Thread-safe. */
public final class ProbeServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.probe");
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    /** What proxies add, in the spelling of the JDK's server. */
    private static final Set<String> FORWARDED = Set.of("Forwarded", "X-forwarded-for", "X-forwarded-host");

    /** Of the JDK's servers. Otherwise each response waits for the client's acknowledgement of its headers. */
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    private final Platform platform;
    private final List<HttpServer> servers = new ArrayList<>();

    private ProbeServer(Platform platform) {
        this.platform = platform;
    }

    /**
     * Listens at once.
     *
     * @throws OperatorException if an address cannot be listened at; with the way out
     */
    public static ProbeServer start(Platform platform, Map<ListenAddress, ProbePage> pages) {
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true"); // read once, for all servers of the process
        }
        ProbeServer server = new ProbeServer(platform);
        Map<ListenAddress, Map<String, ProbePage>> listeners = new LinkedHashMap<>();
        pages.forEach((listenAddress, probePage) -> listeners
                .computeIfAbsent(
                        new ListenAddress(listenAddress.host(), listenAddress.port(), "/"),
                        any -> new LinkedHashMap<>())
                .put(listenAddress.path(), probePage));
        try {
            listeners.forEach(server::listen);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** The ports in use, in the order of the endpoints. */
    List<Integer> ports() {
        return servers.stream().map(server -> server.getAddress().getPort()).toList();
    }

    private void listen(ListenAddress listenAddress, Map<String, ProbePage> pages) {
        HttpServer server = bind(listenAddress);
        servers.add(server);
        server.setExecutor(task -> platform.spawn("probe", task));
        server.createContext("/", exchange -> answer(exchange, pages));
        server.start();
        pages.keySet()
                .forEach(path -> log.debug(
                        "Serving at {}",
                        new ListenAddress(
                                listenAddress.host(), server.getAddress().getPort(), path)));
    }

    private static HttpServer bind(ListenAddress listenAddress) {
        try {
            return HttpServer.create(new InetSocketAddress(listenAddress.host(), listenAddress.port()), 0);
        } catch (BindException e) {
            throw new OperatorException(
                    "K4-023: Cannot serve at " + listenAddress.host() + ":" + listenAddress.port() + ": "
                            + e.getMessage()
                            + ". Something else listens at that port, or the host is not of this machine, or the port is for"
                            + " privileged users only: choose another one for liveness, readiness and metrics.",
                    e);
        } catch (IOException | UnresolvedAddressException e) {
            throw new OperatorException(
                    "Cannot serve at " + listenAddress.host() + ":" + listenAddress.port() + ": " + e
                            + ". Check the host.",
                    e);
        }
    }

    /** The exact path only: what is served at the root does not answer everywhere. */
    private static void answer(HttpExchange exchange, Map<String, ProbePage> pages) throws IOException {
        try (exchange) {
            ProbePage probePage = pages.get(exchange.getRequestURI().getPath());
            String method = exchange.getRequestMethod();
            if (probePage == null) {
                send(exchange, new ProbePage.Response(NOT_FOUND, "text/plain", "not found\n"));
            } else if (method.equals("GET") || method.equals("HEAD")) {
                InetAddress asking = exchange.getRemoteAddress().getAddress();
                boolean own = isOwn(asking, exchange.getRequestHeaders());
                send(exchange, content(probePage, own ? exchange.getRequestURI().getQuery() : null));
            } else {
                send(exchange, new ProbePage.Response(NOT_ALLOWED, "text/plain", "only GET and HEAD\n"));
            }
        }
    }

    /**
     * Queries are answered only to this machine, or this pod, which {@code kubectl port-forward} opens to whom the
     * cluster permits: what they ask for is not for everybody who reaches the port. Proxies beside the operator come
     * from this machine, too, and pages of foreign sites in its browsers; they name another host, or say for whom they
     * ask.
     */
    static boolean isOwn(InetAddress asking, Map<String, List<String>> headers) {
        return asking.isLoopbackAddress()
                && LoopbackNames.allow(headers.get("Host"), headers.get("Origin"))
                && FORWARDED.stream().noneMatch(headers::containsKey);
    }

    /** The answer to a query; null for none. */
    static ProbePage.Response content(ProbePage probePage, @Nullable String query) {
        try {
            return query == null ? probePage.content() : probePage.content(query);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ProbePage.Response(503, "text/plain", "the operator is ending\n");
        } catch (RuntimeException e) {
            log.error("A probe could not be answered. This is a defect of the framework.", e);
            return new ProbePage.Response(500, "text/plain", e + "\n");
        }
    }

    private static void send(HttpExchange exchange, ProbePage.Response content) throws IOException {
        byte[] bytes = content.text().getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", content.type() + "; charset=utf-8");
        exchange.sendResponseHeaders(content.status(), head ? -1 : bytes.length);
        if (!head) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
    }

    /** Something that is asked for by HTTP. Thread-safe. */
    @FunctionalInterface
    public interface ProbePage {
        /** The answer of this moment. */
        Response content() throws InterruptedException;

        /** The answer to a request with that query, without its escapes; most pages know of none. */
        default Response content(String query) throws InterruptedException {
            return content();
        }

        /**
         * An answer to an HTTP request. Immutable.
         *
         * @param status the HTTP status
         * @param type the type of the text
         * @param text what is shown
         */
        record Response(int status, String type, String text) {
            /** An answer in JSON. */
            static Response json(int status, JsonNode node) {
                return new Response(status, "application/json", Json.text(node));
            }
        }
    }
}
