package dev.kopf4j.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.engine.admission.HostileAnswers;
import dev.kopf4j.engine.http.HttpListener.Clients;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.http.HttpListener.SocketSecurity;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link HttpListener} by bytes, as no decent client would send them. */
class HttpListenerTest {
    private static final String GOOD = "POST /good HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private HttpListener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = HttpListener.start(
                new SystemPlatform(),
                new InetSocketAddress(LOOPBACK, 0),
                new Clients("test", 1000, 7 * 1024 * 1024, false),
                SocketSecurity.NONE,
                request -> HttpReply.json((request.method() + " " + request.path() + " " + request.body().length)
                        .getBytes(StandardCharsets.UTF_8)));
    }

    @AfterEach
    void stop() throws InterruptedException {
        listener.stop(Duration.ZERO);
    }

    /** All that comes back until the server closes the connection. */
    private String exchange(byte[] request) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, listener.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String exchange(String request) throws IOException {
        return exchange(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A process without file descriptors cannot take connections for as long as others hold them. */
    @Test
    void connectionsThatCannotBeTakenAreToldOnceThenInSumsAndAtTheEnd() throws IOException {
        SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
        AtomicBoolean exhausted = new AtomicBoolean(true);
        AtomicInteger attempts = new AtomicInteger();
        ServerSocket server = new ServerSocket() {
            @Override
            public Socket accept() throws IOException {
                attempts.incrementAndGet();
                if (exhausted.get()) {
                    throw new IOException("Too many open files");
                }
                try {
                    platform.sleep(Duration.ofMinutes(2));
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                return new Socket();
            }
        };
        HttpListener starved = new HttpListener(
                platform,
                server,
                new Clients("starved", 1, 1, false),
                SocketSecurity.NONE,
                request -> HttpReply.json(new byte[0]));
        try (server;
                LoggerCapture log = new LoggerCapture("kopf4j.http")) {
            platform.spawn("listener", starved::listen);
            platform.runFor(Duration.ofMinutes(10));
            assertThat(attempts.get()).isBetween(100, 150);
            List<String> lines = log.lines(Level.WARN);
            assertThat(lines).hasSize(4);
            assertThat(lines.getFirst())
                    .isEqualTo(
                            "warn: The starved server cannot take a connection, and tries again: Too many open files");
            assertThat(lines.get(1))
                    .matches("warn: The starved server could not take a connection 1\\d more times within 1m.*, now:"
                            + " Too many open files");
            exhausted.set(false);
            platform.runFor(Duration.ofMinutes(3));
            assertThat(log.lines(Level.INFO))
                    .last()
                    .asString()
                    .matches("info: The starved server takes connections again, after 1\\d\\d attempts that failed\\.");
        }
        platform.runFor(Duration.ofMinutes(3));
    }

    /**
     * Requests of 60 bytes each, answered or being received for some seconds, and a newcomer: what the latter hears.
     */
    @ParameterizedTest(name = "{0}")
    @Tag("J21")
    @CsvSource(delimiter = '|', textBlock = """
            nobody else      | 0 | 100 | served
            one comes slowly | 3 | 50  | served
            one comes fast   | 0 | 50  | there are too many large requests at a time: try again
            one is answered  | - | 50  | there are too many large requests at a time: try again
            one comes slowly | 3 | 101 | there are too many large requests at a time: try again
            """)
    void bodiesTogetherHaveALimitAndWhoIsSlowMakesRoom(String others, String seconds, int bytes, String heard) {
        SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2026-01-01T00:00:00Z"));
        HttpConnection.BodyBudget budget = new HttpConnection.BodyBudget(world, 100);
        Socket socket = new Socket();
        List<String> said = new ArrayList<>();
        if (!others.equals("nobody else")) {
            world.spawn("other", () -> {
                ConnectionGuard guard = new ConnectionGuard(world, "test", socket);
                try (var share = budget.share(guard)) {
                    share.take(60);
                    if (seconds.equals("-")) {
                        guard.answering("POST /");
                    }
                    while (!socket.isClosed()) {
                        world.sleep(Duration.ofMillis(5));
                    }
                } catch (IOException | InterruptedException e) {
                    said.add("the other one: " + e.getMessage());
                }
            });
        }
        world.runFor(Duration.ofSeconds(seconds.equals("-") ? 3 : Integer.parseInt(seconds))
                .plusMillis(1));
        world.spawn("newcomer", () -> {
            try (var share = budget.share(new ConnectionGuard(world, "test", new Socket()))) {
                share.take(bytes);
                said.add("served");
            } catch (IOException e) {
                said.add(String.valueOf(e.getMessage()));
            }
        });
        world.runFor(Duration.ofSeconds(2));
        assertThat(said).containsExactly(heard);
    }

    private static String unescaped(String text) {
        return text.replace("~", "\r\n").replace("NUL", "\0").replace("LONG", "x".repeat(70_000));
    }

    @ParameterizedTest
    @Tag("J21")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            hello~~                                                    | 400 | the request line is malformed
            POST~~                                                     | 400 | the request line is malformed
            POST /fn~~                                                 | 400 | the request line is malformed
            POST  /fn HTTP/1.1~~                                       | 400 | the request line is malformed
            (POST) /fn HTTP/1.1~~                                      | 400 | the request line is malformed
            POST /fn HTTP/1.1 x~~                                      | 400 | the request line is malformed
            POST /fn HTTP/2.0~~                                        | 505 | only HTTP/1.1 is spoken here
            PRI * HTTP/2.0~~SM~~                                       | 505 | only HTTP/1.1 is spoken here
            POST /fn SMTP~~                                            | 505 | only HTTP/1.1 is spoken here
            POST /%zz HTTP/1.1~~                                       | 400 | the path is malformed
            POST /a\\b HTTP/1.1~~                                      | 400 | the path is malformed
            POST mailto:x HTTP/1.1~~                                   | 400 | the request has no path
            POST /fn HTTP/1.1~Content-Length: x~~                      | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length: -1~~                     | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length: +1~~a                    | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length:~~                        | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length: 9999999999999999999~~    | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length: 1~content-length: 1~~a   | 400 | the header Content-Length is malformed
            POST /fn HTTP/1.1~Content-Length: 999999999999999999~~     | 413 | the body of a request has at most 7340032 bytes
            POST /fn HTTP/1.1~Content-Length: 7340033~Expect: 100-continue~~ | 413 | the body of a request has at most 7340032 bytes
            POST /fn HTTP/1.1~Content-Length: 1~Transfer-Encoding: chunked~~0~~ | 400 | Content-Length and Transfer-Encoding exclude each other
            POST /fn HTTP/1.1~Transfer-Encoding: gzip~~                | 501 | the only Transfer-Encoding that is known here is chunked
            POST /fn HTTP/1.1~Transfer-Encoding: chunked~~zz~          | 400 | a chunk is malformed
            POST /fn HTTP/1.1~Transfer-Encoding: chunked~~-1~          | 400 | a chunk is malformed
            POST /fn HTTP/1.1~Transfer-Encoding: chunked~~2~abc~0~~    | 400 | a chunk is malformed
            POST /fn HTTP/1.1~Transfer-Encoding: chunked~~fffffff~     | 413 | the body of a request has at most 7340032 bytes
            POST /fn HTTP/1.1~Transfer-Encoding: chunked~~LONG~        | 400 | a chunk is malformed
            POST /fn HTTP/1.1~nonsense~~                               | 400 | a header is malformed
            POST /fn HTTP/1.1~a b: c~~                                 | 400 | a header is malformed
            "POST /fn HTTP/1.1~a: b~ c: d~~"                           | 400 | a header is malformed
            POST /fn HTTP/1.1~a: NUL~~                                 | 400 | a header is malformed
            POST /fn HTTP/1.1~a: LONG~~                                | 431 | the headers are too long
            LONG                                                       | 431 | the headers are too long
            """)
    void whatIsNoRequestIsRefusedInWordsAndTheServerServesOn(String request, int status, String message)
            throws IOException {
        String answer = exchange(unescaped(request));
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").endsWith("\r\n\r\n" + message + "\n");
        assertThat(exchange(GOOD)).endsWith("POST /good 2");
    }

    @ParameterizedTest
    @Tag("J21")
    @CsvSource(delimiter = '|', textBlock = """
            POST /fn HTTP/1.1~Content-Length: 3~~abc                             | POST /fn 3
            ~~POST /fn HTTP/1.1~Content-Length: 3~~abc                           | POST /fn 3
            POST /fn HTTP/1.0~Content-Length: 3~~abcd                            | POST /fn 3
            POST /fn HTTP/1.1~~                                                  | POST /fn 0
            GET http://x.example/fn?a=b HTTP/1.1~~                               | GET /fn 0
            POST /a%20b HTTP/1.1~~                                               | POST /a b 0
            POST /../etc HTTP/1.1~~                                              | POST /../etc 0
            POST /fn HTTP/1.1~Transfer-Encoding: Chunked~~2;x=y~ab~01~c~0~a: b~~ | POST /fn 3
            POST /fn HTTP/1.1~Content-Length: 1~Expect: 100-continue~~a          | POST /fn 1
            """)
    void unusualRequestsAreAnswered(String request, String answer) throws IOException {
        assertThat(exchange(unescaped(request))).startsWith("HTTP/1.1 ").endsWith("\r\n\r\n" + answer);
    }

    @Test
    @Tag("J21")
    void whatIsBeyondTheAnnouncedLengthIsTheNextRequest() throws IOException {
        String answer =
                exchange("POST /one HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcPOST /two HTTP/1.1\r\n\r\ngarbage\r\n\r\n");
        assertThat(answer).containsSubsequence("POST /one 3", "POST /two 0", "HTTP/1.1 400 ");
    }

    @Test
    @Tag("J21")
    void whoAnnouncesMoreThanHeSendsIsNotAnswered() throws IOException {
        for (String length : new String[] {"4", "100000", "7340032"}) {
            assertThat(exchange("POST /fn HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\nabc"))
                    .isEmpty();
        }
        assertThat(exchange(GOOD)).endsWith("POST /good 2");
    }

    @Test
    @Tag("J13")
    void theHeadOfAnAnswerHasWhatTheStandardWants() throws IOException {
        assertThat(exchange("HEAD /fn HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 \r\n")
                .containsPattern("Date: \\w{3}, \\d{1,2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT\r\n")
                .contains("Content-Length: 10\r\n", "Connection: close\r\n")
                .endsWith("\r\n\r\n");
    }

    /** Good requests with bytes changed, lost and added. The seed is in the message of a failure. */
    @Test
    @Tag("J21")
    void damagedRequestsLeaveTheServerServing() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int number = 0; number < 2000; number++) {
            byte[] request = ("POST /fn HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                            + "POST /fn HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            for (int times = random.nextInt(5); times >= 0; times--) {
                request[random.nextInt(request.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt() : " \r\n:;0/".charAt(random.nextInt(7)));
            }
            String answer = exchange(request);
            HostileAnswers.assertHarmless(answer, seed);
            assertThat(answer).as("seed %d", seed).doesNotContain("HTTP/1.1 500");
        }
        assertThat(exchange(GOOD)).endsWith("POST /good 2");
    }
}
