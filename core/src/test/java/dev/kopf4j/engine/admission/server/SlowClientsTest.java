package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
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
        try (ServerBench bench = new ServerBench(platform, LOOPBACK.insecure(), answer)) {
            WebhookClientConfig config = bench.nextConfig();
            var response = ServerBench.post(ServerBench.client(null), ServerBench.url(config) + "/slow", "");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).isEqualTo("the operator is ending, or has taken too long\n");
            assertServed(config);
        }
    }
}
