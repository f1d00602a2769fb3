package dev.kopf4j.engine.probe;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.http.HttpListener;
import dev.kopf4j.engine.http.HttpListener.Clients;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.http.HttpListener.SocketSecurity;
import dev.kopf4j.engine.http.HttpRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Answers at endpoints, each by its page; endpoints of one host and port share a listener. Thread-safe. */
public final class ProbeServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.probe");
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    /** Probes and scrapes are few; more are those of somebody who wants to be in the way. */
    private static final Clients CLIENTS = new Clients("probe", 32, 0, true);

    private static final Duration GRACE = Duration.ofSeconds(1);

    /** What proxies add, in the spelling of headers here. */
    private static final Set<String> FORWARDED = Set.of("Forwarded", "X-forwarded-for", "X-forwarded-host");

    /** Sockets are real, also where the operator's time is not. */
    private final Platform sockets = new SystemPlatform();

    private final Platform platform;
    private final List<HttpListener> listeners = new ArrayList<>();

    private ProbeServer(Platform platform) {
        this.platform = platform;
    }

    /**
     * Listens at once.
     *
     * @throws OperatorException if an address cannot be listened at; with the way out
     */
    public static ProbeServer start(Platform platform, Map<ListenAddress, ProbePage> pages) {
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
        return listeners.stream().map(HttpListener::port).toList();
    }

    private void listen(ListenAddress listenAddress, Map<String, ProbePage> pages) {
        HttpListener listener = bind(listenAddress, pages);
        listeners.add(listener);
        pages.keySet()
                .forEach(path ->
                        log.debug("Serving at {}", new ListenAddress(listenAddress.host(), listener.port(), path)));
    }

    private HttpListener bind(ListenAddress listenAddress, Map<String, ProbePage> pages) {
        try {
            return HttpListener.start(
                    sockets,
                    new InetSocketAddress(listenAddress.host(), listenAddress.port()),
                    CLIENTS,
                    SocketSecurity.NONE,
                    request -> answered(request, pages));
        } catch (BindException e) {
            throw new OperatorException(
                    "K4-023: Cannot serve at " + listenAddress.host() + ":" + listenAddress.port() + ": "
                            + e.getMessage()
                            + ". Something else listens at that port, or the host is not of this machine, or the port is for"
                            + " privileged users only: choose another one for liveness, readiness and metrics.",
                    e);
        } catch (IOException e) {
            throw new OperatorException(
                    "Cannot serve at " + listenAddress.host() + ":" + listenAddress.port() + ": " + e
                            + ". Check the host.",
                    e);
        }
    }

    /** Pages look at the operator in a task of its own platform. */
    private HttpReply answered(HttpRequest request, Map<String, ProbePage> pages) {
        Monitor monitor = sockets.monitor();
        AtomicReference<@Nullable HttpReply> reply = new AtomicReference<>();
        var _ = platform.spawnUnhindered("probe", () -> {
            HttpReply made = answer(request, pages);
            monitor.locked(() -> reply.set(made));
        });
        try {
            monitor.awaitTrue(() -> reply.get() != null, Deadline.NEVER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it takes too long, or the operator ends
        }
        HttpReply made = reply.get();
        return made == null ? HttpReply.problem(UNAVAILABLE, "there is no answer in time") : made;
    }

    /** The exact path only: what is served at the root does not answer everywhere. */
    private static HttpReply answer(HttpRequest request, Map<String, ProbePage> pages) {
        ProbePage probePage = pages.get(request.path());
        if (probePage == null) {
            return HttpReply.problem(NOT_FOUND, "not found");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return HttpReply.problem(NOT_ALLOWED, "only GET and HEAD");
        }
        boolean asks = !request.query().isEmpty() && isOwn(request.client(), request.headers());
        ProbePage.Response content =
                content(probePage, asks ? URI.create("?" + request.query()).getQuery() : null);
        return new HttpReply(
                content.status(),
                content.type() + "; charset=utf-8",
                content.text().getBytes(StandardCharsets.UTF_8),
                Map.of(),
                false);
    }

    /**
     * Queries are answered only to this machine, or this pod, which {@code kubectl port-forward} opens to whom the
     * cluster permits: what they ask for is not for everybody who reaches the port. Proxies beside the operator come
     * from this machine, too, and pages of foreign sites in its browsers; they name another host, or say for whom they
     * ask.
     */
    static boolean isOwn(InetAddress asking, Map<String, List<String>> headers) {
        return asking.isLoopbackAddress()
                && HttpRequest.areForLoopback(headers)
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
            log.error(Platform.UNEXPECTED, "A probe could not be answered. This is a defect of the framework.", e);
            return new ProbePage.Response(500, "text/plain", e + "\n");
        }
    }

    @Override
    public void close() {
        try {
            for (HttpListener listener : listeners) {
                listener.stop(GRACE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
