package dev.kopf4j.engine.console;

import dev.kopf4j.engine.http.HttpListener;
import dev.kopf4j.engine.http.HttpListener.Clients;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.http.HttpListener.SocketSecurity;
import dev.kopf4j.engine.http.HttpRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Shows pages on the loopback interface, and to nobody else: whoever reaches it is on this machine, in this pod, or was
 * let in by {@code kubectl port-forward}. It answers to GET alone. Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.console");

    /** A browser has six connections at most; some may wait for events. */
    private static final Clients CLIENTS = new Clients("console", 32, 0, false);

    /** Nothing of another host is loaded or asked, nothing is framed, and no text can become a script. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cache-Control", "no-store");

    private final HttpListener listener;

    private ConsoleServer(HttpListener listener) {
        this.listener = listener;
    }

    /** Answers to what is asked at one path. Thread-safe. */
    @FunctionalInterface
    public interface Answer {
        /** What is known at this moment. Interrupted after a minute. */
        HttpReply to(ConsoleQuery query) throws InterruptedException;
    }

    /**
     * Listens at once.
     *
     * @param port 0 for any free one
     * @param answers by their paths
     * @throws IOException if the port cannot be listened at
     */
    public static ConsoleServer start(Platform platform, int port, Map<String, Answer> answers) throws IOException {
        InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
        Map<String, Answer> all = Map.copyOf(answers);
        return new ConsoleServer(HttpListener.start(
                platform,
                new InetSocketAddress(loopback, port),
                CLIENTS,
                SocketSecurity.NONE,
                request -> protectedAgainstOthers(reply(request, all))));
    }

    /** Where the page is. */
    public String address() {
        return "http://127.0.0.1:" + listener.port() + "/";
    }

    /** JSON that has to be made anew each time. */
    public static HttpReply json(JsonNode node) {
        return HttpReply.json(Json.bytes(node));
    }

    /** The files that all pages share: the style, the sign, and what pages are made of. */
    public static Map<String, Answer> sharedFiles() {
        return files(
                name -> ConsoleServer.class.getResourceAsStream(name),
                Map.of("/console.css", "console.css", "/console.svg", "console.svg", "/page.js", "page.js"));
    }

    /**
     * The files of a page, by their paths.
     *
     * @param files opens one; null if it is missing
     * @param names the files by their paths
     */
    public static Map<String, Answer> files(Function<String, @Nullable InputStream> files, Map<String, String> names) {
        Map<String, Answer> answers = new HashMap<>();
        names.forEach((path, name) -> {
            HttpReply reply = new HttpReply(200, type(name), bytes(files, name), Map.of(), false);
            answers.put(path, _ -> reply);
        });
        return answers;
    }

    private static byte[] bytes(Function<String, @Nullable InputStream> files, String name) {
        try (InputStream file = files.apply(name)) {
            if (file == null) {
                throw new IllegalStateException("the file " + name + " of the console is missing");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("not a file of a page: " + name);
        };
    }

    private static HttpReply reply(HttpRequest request, Map<String, Answer> answers) {
        Answer answer = answers.get(request.path());
        if (!HttpRequest.areForLoopback(request.headers())) {
            return HttpReply.problem(403, "The console is for 127.0.0.1, localhost and [::1].");
        }
        if (!request.method().equals("GET")) {
            return HttpReply.problem(405, "The console can be read by GET, and changes nothing.")
                    .with("Allow", "GET");
        }
        if (answer == null) {
            return HttpReply.problem(404, "There is nothing here; the console is at /.");
        }
        try {
            List<String> last = request.headers().get("Last-event-id");
            return answer.to(ConsoleQuery.of(request.query(), last == null ? "" : last.getFirst()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HttpReply.problem(503, "It took too long.");
        } catch (RuntimeException e) {
            log.warn("The console cannot answer {}. This is a defect of the framework.", request.path(), e);
            return HttpReply.problem(500, "The log says what has failed.");
        }
    }

    private static HttpReply protectedAgainstOthers(HttpReply reply) {
        Map<String, String> headers = new LinkedHashMap<>(HEADERS);
        headers.putAll(reply.headers());
        return new HttpReply(reply.status(), reply.type(), reply.body(), headers, reply.isLast());
    }

    /** Ends at once: whoever waits for events is cut. */
    @Override
    public void close() {
        try {
            listener.stop(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A text as the body of an answer. */
    public static HttpReply text(String type, String text) {
        return new HttpReply(200, type, text.getBytes(StandardCharsets.UTF_8), Map.of(), false);
    }

    /**
     * What the query of a request asks for. Immutable.
     *
     * @param values by their names; what comes twice counts once
     */
    public record ConsoleQuery(Map<String, String> values) {
        /** Copies the map. */
        public ConsoleQuery {
            values = Map.copyOf(values);
        }

        /**
         * Reads a query; what cannot be read is left out.
         *
         * @param lastEvent the last event that is known, which counts for {@code after}; empty for none
         */
        static ConsoleQuery of(String query, String lastEvent) {
            Map<String, String> values = new HashMap<>();
            for (String part : query.split("&", -1)) {
                int end = part.indexOf('=');
                if (end > 0) {
                    values.put(part.substring(0, end), decoded(part.substring(end + 1)));
                }
            }
            if (!lastEvent.isEmpty()) {
                values.put("after", lastEvent);
            }
            return new ConsoleQuery(values);
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return text; // not well escaped: as it is
            }
        }

        /** The value of that name; empty if it was not given. */
        public String text(String name) {
            return values.getOrDefault(name, "");
        }

        /** The number of that name; 0 if it was not given, or is none. */
        public long number(String name) {
            String text = text(name);
            return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
        }
    }
}
