package dev.kopf4j.image;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A registry in memory: what it takes to push and pull.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md">the protocol</a>
 */
final class TinyRegistry implements AutoCloseable {
    private static final int TLS_HANDSHAKE = 0x16;
    private static final String TYPE = "application/vnd.oci.image.manifest.v1+json";
    private static final Pattern OWN_TYPE = Pattern.compile("\"mediaType\"\\s*:\\s*\"([^\"]+)\"");

    final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    private final Map<String, ByteArrayOutputStream> uploads = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final HttpServer server;
    private final ServerSocket front;

    TinyRegistry() {
        try {
            front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v2/", this::answer);
        server.start();
        Thread.ofVirtual().start(this::accept);
    }

    /** Refuses TLS at once, as servers do that know of it; the server of the JDK would wait for the end of a line. */
    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket client = front.accept();
                Thread.ofVirtual().start(() -> pass(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pass(Socket client) {
        try (client;
                Socket inner = new Socket(
                        InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
            int first = client.getInputStream().read();
            if (first == TLS_HANDSHAKE) {
                client.getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            inner.getOutputStream().write(first);
            Thread back = Thread.ofVirtual().start(() -> transfer(inner, client));
            transfer(client, inner);
            back.join();
        } catch (IOException | InterruptedException e) {
            // the client is gone, or the test has ended
        }
    }

    private static void transfer(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // one of them is gone
        }
    }

    String address() {
        return "localhost:" + front.getLocalPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] body = exchange.getRequestBody().readAllBytes();
            String last = path.substring(path.lastIndexOf('/') + 1);
            if (path.contains("/blobs/uploads/")) {
                upload(exchange, path, body);
            } else if (path.contains("/blobs/")) {
                send(exchange, blobs.get(last), "application/octet-stream");
            } else if (path.contains("/manifests/")
                    && exchange.getRequestMethod().equals("PUT")) {
                manifests.put(last, body);
                manifests.put(digest(body), body);
                exchange.getResponseHeaders().set("Docker-Content-Digest", digest(body));
                exchange.sendResponseHeaders(201, -1);
            } else if (path.contains("/manifests/")) {
                byte @Nullable [] manifest = manifests.get(last);
                if (manifest != null) {
                    exchange.getResponseHeaders().set("Docker-Content-Digest", digest(manifest));
                }
                send(exchange, manifest, manifest == null ? TYPE : type(manifest));
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        }
    }

    private void upload(HttpExchange exchange, String path, byte[] body) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                String id = "u" + number.incrementAndGet();
                uploads.put(id, new ByteArrayOutputStream());
                exchange.getResponseHeaders().set("Location", path + id);
                exchange.sendResponseHeaders(202, -1);
            }
            case "PATCH" -> {
                Objects.requireNonNull(uploads.get(path.substring(path.lastIndexOf('/') + 1)))
                        .write(body);
                exchange.getResponseHeaders().set("Location", path);
                exchange.sendResponseHeaders(202, -1);
            }
            default -> {
                ByteArrayOutputStream content =
                        Objects.requireNonNull(uploads.remove(path.substring(path.lastIndexOf('/') + 1)));
                content.write(body);
                String digest = exchange.getRequestURI().getQuery().replaceAll(".*digest=", "");
                boolean intact = digest(content.toByteArray()).equals(digest);
                blobs.put(digest, content.toByteArray());
                exchange.sendResponseHeaders(intact ? 201 : 400, -1);
            }
        }
    }

    private static void send(HttpExchange exchange, byte @Nullable [] content, String type) throws IOException {
        if (content == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
            exchange.sendResponseHeaders(200, -1);
        } else {
            exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
        }
    }

    /** The first one in it is its own; those of its parts follow. */
    private static String type(byte[] manifest) {
        Matcher found = OWN_TYPE.matcher(new String(manifest, StandardCharsets.UTF_8));
        return found.find() ? found.group(1) : TYPE;
    }

    static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
        server.stop(0);
    }
}
