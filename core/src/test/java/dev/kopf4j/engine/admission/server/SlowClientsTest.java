package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that take their time, through real sockets, on a clock that the tests put forward. */
class SlowClientsTest {
    private static final LocalWebhookServer LOOPBACK = WebhookServer.local().address("127.0.0.1");
    private static final int PATIENCE_MILLIS = 5_000;
    private static final byte[] HEAD =
            "POST /fn HTTP/1.1\r\nContent-Length: 100\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] REQUEST =
            "POST /fn HTTP/1.1\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final JumpingPlatform platform = new JumpingPlatform();

    private static LocalWebhookServer server(boolean secure) {
        return secure ? LOOPBACK : LOOPBACK.insecure();
    }

    private static Socket plain(WebhookClientConfig config, int receiveBuffer) throws IOException {
        URI url = URI.create(ServerBench.url(config));
        Socket socket = new Socket();
        socket.setReceiveBufferSize(receiveBuffer);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), url.getPort()));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static Socket connected(WebhookClientConfig config) throws Exception {
        Socket socket = plain(config, 4096);
        if (config.caBundle().isEmpty()) {
            return socket;
        }
        SSLSocket secure = (SSLSocket) ServerBench.context(config.caBundle().orElseThrow())
                .getSocketFactory()
                .createSocket(socket, null, 0, true);
        secure.startHandshake();
        return secure;
    }

    private static void assertServed(WebhookClientConfig config) throws Exception {
        HttpClient client = ServerBench.client(config.caBundle().orElse(null));
        for (int number = 0; number < 5; number++) {
            assertThat(ServerBench.post(client, ServerBench.url(config) + "/fn", "quick")
                            .body())
                    .isEqualTo("fn|quick");
        }
    }

    /**
     * Puts the clock forward until the server cuts the connection. Once is enough, unless the server has seen what was
     * sent only after the clock was put forward.
     *
     * @return how many bytes came before
     */
    private long bytesUntilCut(Socket socket, Duration time) {
        AtomicLong count = new AtomicLong();
        for (int tries = 0; tries < 10; tries++) {
            platform.jump(time);
            if (hasEnded(socket, count)) {
                return count.get();
            }
        }
        throw new AssertionError("the connection was not cut");
    }

    private static boolean hasEnded(Socket socket, AtomicLong count) {
        byte[] buffer = new byte[65536];
        try {
            int more = 0;
            while (more >= 0) {
                count.addAndGet(more);
                more = socket.getInputStream().read(buffer);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // a reset is an end, too
        }
    }

    private static int firstByte(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @Tag("J13")
    @ValueSource(booleans = {false, true})
    void whoSendsAByteASecondIsCutAfterTenOfThem(boolean secure) throws Exception {
        try (ServerBench bench = new ServerBench(platform, server(secure), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            try (Socket slow = connected(config)) {
                slow.getOutputStream().write(HEAD[0]);
                assertServed(config);
                for (int second = 1; second < 10; second++) {
                    slow.getOutputStream().write(HEAD[second]);
                    platform.jump(Duration.ofSeconds(1));
                }
                assertServed(config);
                slow.getOutputStream().write(HEAD, 10, 20);
                assertThat(bytesUntilCut(slow, Duration.ofSeconds(2))).isZero();
                assertServed(config);
            }
        }
    }

    @ParameterizedTest
    @Tag("J13")
    @ValueSource(booleans = {false, true})
    void aBodyThatDoesNotComeIsNotWaitedFor(boolean secure) throws Exception {
        try (ServerBench bench = new ServerBench(platform, server(secure), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            try (Socket slow = connected(config)) {
                slow.getOutputStream().write(HEAD);
                slow.getOutputStream().write('x');
                assertServed(config);
                assertThat(bytesUntilCut(slow, Duration.ofSeconds(11))).isZero();
            }
        }
    }

    @ParameterizedTest
    @Tag("J13")
    @ValueSource(booleans = {false, true})
    void whoReadsTheAnswerSlowlyIsCut(boolean secure) throws Exception {
        byte[] large = new byte[32 * 1024 * 1024];
        ServerBench.Answer answer = request ->
                request.handlerId().orElse("").equals("large") ? new WebhookResponse(large) : ServerBench.echo(request);
        try (ServerBench bench = new ServerBench(platform, server(secure), answer)) {
            WebhookClientConfig config = bench.nextConfig();
            try (Socket slow = connected(config);
                    Socket another = connected(config)) {
                slow.getOutputStream()
                        .write("POST /large HTTP/1.1\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                for (int second = 0; second < 9; second++) {
                    assertThat(slow.getInputStream().read()).isNotNegative();
                    platform.jump(Duration.ofSeconds(1));
                }
                another.getOutputStream().write(HEAD);
                assertServed(config);
                bytesUntilCut(another, Duration.ofSeconds(11)); // both are; but a client reads first what is on its way
                assertThat(bytesUntilCut(slow, Duration.ZERO)).isLessThan(large.length);
                assertServed(config);
            }
        }
    }

    @Test
    @Tag("J13")
    void whoDoesNotBeginTheHandshakeIsCutAfterTenSeconds() throws Exception {
        try (ServerBench bench = new ServerBench(platform, LOOPBACK, ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            try (Socket silent = plain(config, 4096)) {
                assertServed(config);
                assertThat(bytesUntilCut(silent, Duration.ofSeconds(11))).isZero();
                assertServed(config);
            }
        }
    }

    /** Clients in Go open connections in advance, and drop them after 90 seconds: that is for them to do. */
    @ParameterizedTest
    @Tag("J13")
    @ValueSource(booleans = {false, true})
    void whoSaysNothingIsCutAfterTwoMinutes(boolean secure) throws Exception {
        try (ServerBench bench = new ServerBench(platform, server(secure), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            try (Socket silent = connected(config);
                    Socket talking = connected(config)) {
                assertServed(config);
                platform.jump(Duration.ofSeconds(90));
                talking.getOutputStream().write(HEAD);
                talking.getOutputStream().write(new byte[100]);
                assertThat(talking.getInputStream().read()).isEqualTo('H');
                assertThat(bytesUntilCut(silent, Duration.ofSeconds(31))).isZero();
                talking.getOutputStream().write(HEAD);
                talking.getOutputStream().write(new byte[100]);
                assertThat(talking.getInputStream().read()).isEqualTo('T');
                assertServed(config);
            }
        }
    }

    /** A thousand connections are held; then the one that has waited longest makes place. */
    @Test
    @Tag("J13")
    void silentConnectionsMakePlaceForOthers() throws Exception {
        try (ServerBench bench = new ServerBench(platform, LOOPBACK.insecure(), ServerBench::echo)) {
            WebhookClientConfig config = bench.nextConfig();
            List<Socket> silent = new ArrayList<>();
            try {
                for (int number = 0; number < 1100; number++) {
                    silent.add(plain(config, 4096));
                }
                assertServed(config);
                assertThat(bytesUntilCut(silent.getFirst(), Duration.ZERO)).isZero();
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    /** As filters that hang, and ignore that they were interrupted. */
    @Test
    @Tag("J13")
    void whenAllAreAnsweredItIsToldWhoIsRefusedAndWhenThereIsRoomAgain() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1000);
        ServerBench.Answer answer = request -> {
            begun.countDown();
            released.await();
            return ServerBench.response("late");
        };
        List<Socket> clients = new ArrayList<>();
        try (LoggerCapture log = new LoggerCapture("kopf4j.http");
                ServerBench bench = new ServerBench(platform, LOOPBACK.insecure(), answer)) {
            WebhookClientConfig config = bench.nextConfig();
            try {
                for (int number = 0; number < 1000; number++) {
                    clients.add(plain(config, 4096));
                    clients.getLast().getOutputStream().write(REQUEST);
                }
                assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(log.lines(Level.WARN)).isEmpty();
                for (int number = 0; number < 3; number++) {
                    clients.add(plain(config, 4096));
                    assertThat(hasEnded(clients.getLast(), new AtomicLong())).isTrue();
                }
                assertThat(bench.crowds().getFirst())
                        .isEqualTo("1000 requests are being answered, and no other is taken");
                assertThat(log.lines(Level.WARN))
                        .singleElement()
                        .asString()
                        .startsWith("warn: The webhook server closes a connection at once, as all its 1000 are being"
                                + " answered. The one that takes longest is POST /fn, at:\n")
                        .contains("SlowClientsTest");
                assertThat(bench.crowds()).doesNotContain("there is room");
                released.countDown();
                clients.subList(0, 1000)
                        .forEach(each -> assertThat(firstByte(each)).isEqualTo('H'));
                for (int tries = 0; tries < 500 && !bench.crowds().contains("there is room"); tries++) {
                    platform.jump(Duration.ofSeconds(1));
                    assertThat(begun.await(0, TimeUnit.SECONDS)).isTrue();
                }
                assertThat(bench.crowds()).last().isEqualTo("there is room");
            } finally {
                released.countDown();
                for (Socket socket : clients) {
                    socket.close();
                }
            }
        }
    }

    @Test
    @Tag("J13")
    void anAnswerThatTakesAMinuteIsGivenUp() throws Exception {
        ServerBench.Answer answer = request -> {
            if (request.handlerId().orElse("").equals("fn")) {
                return ServerBench.echo(request);
            }
            platform.jump(Duration.ofSeconds(61));
            platform.monitor().awaitTrue(() -> false, Deadline.NEVER);
            throw new AssertionError("it was not interrupted");
        };
        try (LoggerCapture log = new LoggerCapture("kopf4j.http");
                ServerBench bench = new ServerBench(platform, LOOPBACK.insecure(), answer)) {
            WebhookClientConfig config = bench.nextConfig();
            var response = ServerBench.post(ServerBench.client(null), ServerBench.url(config) + "/slow", "");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).isEqualTo("the operator is ending, or has taken too long\n");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("warn: A request to the webhook server was not answered in time, and is interrupted:"
                            + " POST /slow, at:\n")
                    .contains("SlowClientsTest");
            assertServed(config);
        }
    }
}
