package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.engine.admission.server.JumpingPlatform;
import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link ConsoleServer} through real sockets, by requests as browsers, foreign pages and scanners send them. */
class ConsoleServerTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private ConsoleServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = ConsoleServer.start(
                new SystemPlatform(),
                0,
                Map.of(
                        "/",
                        _ -> ConsoleServer.text("text/html; charset=utf-8", "<p>page"),
                        "/echo",
                        query -> ConsoleServer.text("text/plain", query.text("q") + ":" + query.number("n")),
                        "/broken",
                        _ -> {
                            throw new IllegalStateException("a secret");
                        }));
        port = URI.create(server.address()).getPort();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String exchange(String request) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String path) throws IOException {
        return exchange("GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Host: localhost                                      | 200
            Host: LOCALHOST:8080                                 | 200
            Host: 127.0.0.1:5673                                 | 200
            Host: [::1]:5673                                     | 200
            Host: localhost~Origin: http://127.0.0.1:5673        | 200
            Host: localhost~Origin: http://localhost             | 200
                                                                 | 403
            Host: 127.0.0.2                                      | 403
            Host: example.com                                    | 403
            Host: localhost.example.com                          | 403
            Host: 127.0.0.1.nip.example                          | 403
            Host: localhost@example.com                          | 403
            Host: localhost~Host: localhost                      | 403
            Host: example.com~Host: localhost                    | 403
            Host: localhost~Origin: http://example.com           | 403
            Host: localhost~Origin: https://localhost            | 403
            Host: localhost~Origin: null                         | 403
            Host: localhost~Origin: http://localhost.example.com | 403
            Host: localhost~Origin: http://localhost~Origin: http://example.com | 403
            """)
    void answersToItsOwnPageAlone(String headers, int status) throws IOException {
        String lines = headers == null ? "" : headers.replace("~", "\r\n") + "\r\n";
        assertThat(exchange("GET / HTTP/1.1\r\n" + lines + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status + " ");
    }

    @ParameterizedTest
    @CsvSource({"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"})
    void canBeReadOnly(String method) throws IOException {
        assertThat(exchange(method + " / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: GET");
    }

    @Test
    void takesNoBody() throws IOException {
        assertThat(exchange("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"))
                .startsWith("HTTP/1.1 413 ");
    }

    @ParameterizedTest
    @CsvSource({"/", "/nothing", "/broken"})
    void nothingOfOtherHostsCanBeLoadedNorThePageBeFramed(String path) throws IOException {
        assertThat(get(path))
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';")
                .contains("frame-ancestors 'none'")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Cross-Origin-Resource-Policy: same-origin")
                .contains("Cache-Control: no-store")
                .doesNotContain("unsafe-inline")
                .doesNotContain("Access-Control-Allow-Origin");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /echo                          | :0
            /echo?q=a&n=12                 | a:12
            /echo?q=a%2Fb+c&n=-1           | a/b c:0
            /echo?n=99999999999999999999&q | :0
            /echo?&&=&=&q=%25              | %:0
            """)
    void readsQueries(String path, String expected) throws IOException {
        assertThat(get(path)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + expected);
    }

    @Test
    void tellsNothingOfAFailure() throws IOException {
        assertThat(get("/broken")).startsWith("HTTP/1.1 500 ").doesNotContain("secret");
    }

    @Test
    void doesNotListenAtOtherAddresses() throws IOException {
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.equals(LOOPBACK))
                .toList();
        for (InetAddress other : others) {
            assertThatThrownBy(() -> new Socket(other, port)).as("%s", other).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> new Socket(InetAddress.ofLiteral("127.0.0.2"), port))
                .isInstanceOf(ConnectException.class);
    }

    /** Each of them would hold a task; the server has room for as many, and cuts those that wait longest. */
    @Test
    void whoConnectsAndSaysNothingHoldsNobodyUp() throws IOException {
        List<Socket> silent = java.util.stream.IntStream.range(0, 100)
                .mapToObj(_ -> {
                    try {
                        return new Socket(LOOPBACK, port);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
        try {
            assertThat(get("/")).startsWith("HTTP/1.1 200 ");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void whoSendsHalfARequestIsCut() throws IOException {
        JumpingPlatform platform = new JumpingPlatform();
        try (ConsoleServer slow = ConsoleServer.start(platform, 0, Map.of());
                Socket socket = new Socket(LOOPBACK, URI.create(slow.address()).getPort())) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(isCutByTime(socket, platform)).isTrue();
        }
    }

    /** The server may see what was sent only after the clock has jumped: then it needs another jump. */
    private static boolean isCutByTime(Socket socket, JumpingPlatform platform) {
        for (int tries = 0; tries < 10; tries++) {
            platform.jump(Duration.ofSeconds(11));
            try {
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException e) {
                // not yet
            } catch (IOException e) {
                return true; // a reset is an end, too
            }
        }
        return false;
    }

    @Test
    void theFilesOfThePageAreThere() throws InterruptedException {
        Map<String, ConsoleServer.Answer> files =
                ConsoleServer.files(name -> ConsoleServer.class.getResourceAsStream(name), Map.of("/", "console.html"));
        HttpReply page = Objects.requireNonNull(files.get("/")).to(ConsoleQuery.of("", ""));
        assertThat(page.type()).isEqualTo("text/html; charset=utf-8");
        assertThat(new String(page.body(), StandardCharsets.UTF_8))
                .contains("<script src=\"/console.js\" type=\"module\">")
                .doesNotContain("http://", "https://", " style=", "onclick", "<script>");
    }
}
