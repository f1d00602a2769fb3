package dev.kopf4j.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.NetworkSettings.Retries;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.ClosedTransportException;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link SocketTransport} with real sockets. */
@Timeout(30)
class SocketTransportTest {
    private static final byte[] LINE_END = {'\n'};

    private final Platform platform = new SystemPlatform();
    private final ActionSchedule deadlines = new ActionSchedule(platform, "deadlines");
    private final List<HttpExchange> requests = new CopyOnWriteArrayList<>();
    private final Monitor released = platform.monitor();
    private boolean release;
    private HttpServer server;
    private String url;
    private SocketTransport transport;

    /** Answers one request; runs on a thread of its own. */
    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
        transport = transport(ConnectionInfo.builder(url).build());
    }

    @AfterEach
    void stopServer() {
        releaseAll();
        transport.close();
        server.stop(0);
        deadlines.close();
    }

    private SocketTransport transport(ConnectionInfo info) {
        return new SocketTransport(platform, info, NetworkSettings.DEFAULTS, deadlines);
    }

    private void serving(Handler handler) {
        server.createContext("/", exchange -> {
            requests.add(exchange);
            try (exchange) {
                handler.handle(exchange);
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Holds a server's thread until the test releases it. */
    private void hold() {
        try {
            released.awaitTrue(() -> release, platform.after(Duration.ofSeconds(20)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseAll() {
        released.locked(() -> {
            release = true;
        });
    }

    private Deadline soon() {
        return platform.after(Duration.ofSeconds(10));
    }

    private Deadline atOnce() {
        return platform.after(Duration.ofMillis(100));
    }

    private static byte[] compressed(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    /** In chunks, as servers send lists: the next request finds nothing of the answer before in its connection. */
    @Test
    void unpacksCompressedAnswersAndUsesTheirConnectionAgain() throws Exception {
        String text = "{\"items\":[]}".repeat(50_000);
        byte[] packed = compressed(text);
        serving(exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "GZIP");
            exchange.sendResponseHeaders(200, 0);
            for (int from = 0; from < packed.length; from += 100) {
                exchange.getResponseBody().write(packed, from, Math.min(100, packed.length - from));
            }
        });
        TransportRequest asked = TransportRequest.get("/list");
        for (int i = 0; i < 3; i++) {
            try (ResponseStream stream = transport.open(asked, soon())) {
                assertThat(stream.body(Duration.ofSeconds(10)).readAllBytes())
                        .asString()
                        .isEqualTo(text);
            }
        }
        assertThat(transport.send(asked, soon()).body()).asString().isEqualTo(text);
        assertThat(requests)
                .extracting(HttpExchange::getRemoteAddress)
                .containsOnly(requests.getFirst().getRemoteAddress());
    }

    @Test
    void aCompressedAnswerThatIsCutShortOrNoneIsABrokenOne() throws Exception {
        byte[] packed = compressed("{}".repeat(1000));
        List<byte[]> answers = List.of(Arrays.copyOf(packed, packed.length - 6), new byte[] {'{', '}'}, new byte[0]);
        AtomicInteger turn = new AtomicInteger();
        serving(exchange -> {
            byte[] answer = answers.get(turn.getAndIncrement());
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        });
        for (int i = 0; i < 3; i++) {
            try (ResponseStream stream = transport.open(TransportRequest.get("/list"), soon())) {
                if (i < 2) {
                    assertThatThrownBy(() -> stream.body(Duration.ofSeconds(10)).readAllBytes())
                            .isInstanceOf(IOException.class);
                } else {
                    assertThat(stream.body(Duration.ofSeconds(10)).readAllBytes())
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void sendsMethodHeadersAndBody() throws Exception {
        AtomicReference<String> body = new AtomicReference<>();
        serving(exchange -> {
            body.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().set("Retry-After", "3");
            answer(exchange, 409, "no");
        });
        TransportRequest transportRequest = new TransportRequest(
                "PATCH", "/a/b?c=d%2Ce", Map.of("Content-Type", "x/y"), "{}".getBytes(StandardCharsets.UTF_8));
        TransportResponse transportResponse = transport.send(transportRequest, soon());
        assertThat(transportResponse.status()).isEqualTo(409);
        assertThat(transportResponse.header("retry-after")).isEqualTo("3");
        assertThat(transportResponse.body()).asString().isEqualTo("no");
        assertThat(body).hasValue("{}");
        HttpExchange seen = requests.getFirst();
        assertThat(seen.getRequestMethod()).isEqualTo("PATCH");
        assertThat(seen.getRequestURI()).hasToString("/a/b?c=d%2Ce");
        assertThat(seen.getRequestHeaders()).containsEntry("Content-type", List.of("x/y"));
        assertThat(seen.getProtocol()).isEqualTo("HTTP/1.1");
        assertThat(seen.getRequestHeaders()).doesNotContainKey("Authorization");
    }

    @Test
    @Tag("K19")
    void tellsWhoItIs() throws Exception {
        serving(exchange -> answer(exchange, 200, ""));
        transport.send(TransportRequest.get("/"), soon());
        assertThat(requests.getFirst().getRequestHeaders().getFirst("User-Agent"))
                .isEqualTo("kopf4j/" + Kopf.version());
    }

    @Test
    @Tag("G06")
    void sendsTheCredentials() throws Exception {
        serving(exchange -> answer(exchange, 200, ""));
        assertThat(authorization(builder().username("Aladdin").password("open sesame")))
                .isEqualTo("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assertThat(authorization(builder().token("t"))).isEqualTo("Bearer t");
        assertThat(authorization(builder().scheme("Digest").token("t"))).isEqualTo("Digest t");
        assertThat(authorization(builder().scheme("Digest"))).isEqualTo("Digest");
        assertThat(authorization(builder().username("Aladdin"))).isNull();
    }

    /** The server is asked as a proxy: with the whole address of another one, which does not exist. */
    @Test
    @Tag("G09")
    void requestsGoThroughTheProxyWithItsPassword() throws Exception {
        serving(exchange -> {
            boolean known = exchange.getRequestHeaders().containsKey("Proxy-Authorization");
            exchange.getResponseHeaders().set("Proxy-Authenticate", "Basic realm=\"proxy\"");
            answer(exchange, known ? 200 : 407, "");
        });
        String proxy = url.replace("http://", "http://alice:secret@");
        SocketTransport through = transport(ConnectionInfo.builder("http://cluster.invalid:6443")
                .proxyUrl(proxy)
                .build());
        assertThat(through.send(TransportRequest.get("/version"), soon()).status())
                .isEqualTo(200);
        assertThat(requests.getLast().getRequestURI()).hasToString("http://cluster.invalid:6443/version");
        assertThat(requests.getLast().getRequestHeaders().getFirst("Proxy-Authorization"))
                .isEqualTo(AuthorizationHeader.basic("alice", "secret"));
        through.close();
    }

    @Test
    @Tag("G15")
    void readsTheTokenFromItsFile(@TempDir Path folder) throws Exception {
        serving(exchange -> answer(exchange, 200, ""));
        Path file = folder.resolve("token");
        assertThat(authorization(builder().token("old").tokenPath(file.toString())))
                .isEqualTo("Bearer old");
        Files.writeString(file, "new\n");
        assertThat(authorization(builder().token("old").tokenPath(file.toString())))
                .isEqualTo("Bearer new");
    }

    private ConnectionInfo.Builder builder() {
        return ConnectionInfo.builder(url + "/");
    }

    private String authorization(ConnectionInfo.Builder builder) throws Exception {
        try (SocketTransport other = transport(builder.build())) {
            other.send(TransportRequest.get("/"), soon());
        }
        return requests.getLast().getRequestHeaders().getFirst("Authorization");
    }

    @Test
    void failsWhenTheAnswerIsLate() {
        serving(exchange -> hold());
        assertThatThrownBy(() -> transport.send(TransportRequest.get("/"), atOnce()))
                .isInstanceOf(RequestTimeoutException.class);
        assertThatThrownBy(() -> transport.open(TransportRequest.get("/"), atOnce()))
                .isInstanceOf(RequestTimeoutException.class);
    }

    @Test
    void aDeadlineInterruptsNothingButItsRequest() {
        serving(exchange -> hold());

        assertThatThrownBy(() -> transport.send(TransportRequest.get("/"), atOnce()))
                .isInstanceOf(RequestTimeoutException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** The deadlines come about when the answers do: before, behind, and at the same time. */
    @Test
    void answersThatComeWithTheirDeadlinesLeaveNoInterruptBehind() throws Exception {
        serving(exchange -> answer(exchange, 200, "x"));
        assertThat(transport.send(TransportRequest.get("/"), soon()).status()).isEqualTo(200);

        int answered = 0;
        for (int micros = 0; micros < 4000; micros += 5) {
            try {
                transport.send(TransportRequest.get("/"), platform.after(Duration.ofNanos(micros * 1000L)));
                answered++;
            } catch (RequestTimeoutException e) {
                assertThat(e).hasMessage("no answer in time");
            }
            assertThat(Thread.currentThread().isInterrupted())
                    .as("after %s us", micros)
                    .isFalse();
        }

        assertThat(answered).isPositive();
    }

    @Test
    void anInterruptFromElsewhereIsNotTakenForTheDeadline() throws Exception {
        serving(exchange -> hold());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> transport.send(TransportRequest.get("/"), soon()))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void hangsUpIfTheHeadIsLate() throws Exception {
        AtomicReference<IOException> broken = new AtomicReference<>();
        Monitor told = platform.monitor();
        serving(exchange -> {
            hold();
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[8192]);
                }
            } catch (IOException e) {
                told.locked(() -> broken.set(e));
            }
        });

        assertThatThrownBy(() ->
                        transport.open(TransportRequest.get("/?watch=true"), platform.after(Duration.ofMillis(100))))
                .isInstanceOf(RequestTimeoutException.class);
        releaseAll();

        assertThat(told.awaitTrue(() -> broken.get() != null, soon())).isTrue();
    }

    @Test
    void tellsThatTheConnectionWasNeverOpen() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (SocketTransport nowhere =
                transport(ConnectionInfo.builder("http://127.0.0.1:" + port).build())) {
            assertThatThrownBy(() -> nowhere.send(TransportRequest.get("/"), soon()))
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void interruptionEndsTheWait() throws Exception {
        serving(exchange -> hold());
        AtomicReference<Object> outcome = new AtomicReference<>();
        Task task = platform.spawn("sender", () -> {
            try {
                outcome.set(transport.send(TransportRequest.get("/"), soon()));
            } catch (IOException | InterruptedException e) {
                outcome.set(e);
            }
        });
        task.interrupt();
        assertThat(task.join(soon())).isTrue();
        assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    @Tag("B09")
    void readsLinesOfAnyLength() throws Exception {
        byte[] huge = "ж".repeat(3_000_000).getBytes(StandardCharsets.UTF_8);
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            for (byte[] part :
                    List.of("first\n\n\n".getBytes(StandardCharsets.UTF_8), huge, LINE_END, new byte[] {'x'})) {
                out.write(part);
                out.flush();
            }
        });
        try (ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon())) {
            assertThat(stream.nextLine(soon())).asString().isEqualTo("first");
            assertThat(stream.nextLine(soon())).isEqualTo(huge);
            assertThat(stream.nextLine(soon())).asString().isEqualTo("x");
            assertThat(stream.nextLine(soon())).isNull();
            assertThat(stream.nextLine(soon())).isNull();
        }
    }

    @Test
    @Tag("B08")
    void silenceOfAStreamEndsWithTheReadersDeadlineAndTheStreamGoesOn() throws Exception {
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("half".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            hold();
            exchange.getResponseBody().write("-line\n".getBytes(StandardCharsets.UTF_8));
        });
        try (ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon())) {
            assertThatThrownBy(() -> stream.nextLine(atOnce())).isInstanceOf(StreamIdleException.class);
            releaseAll();
            assertThat(stream.nextLine(soon())).asString().isEqualTo("half-line");
        }
    }

    @Test
    void brokenStreamsFail() throws Exception {
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("line\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            // An end that comes at once may overtake the line.
            hold();
        });
        try (ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon())) {
            assertThat(stream.nextLine(soon())).asString().isEqualTo("line");
            releaseAll();
            assertThatThrownBy(() -> stream.nextLine(soon())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void closedStreamsFailTheirReaderAndHangUp() throws Exception {
        AtomicInteger written = new AtomicInteger();
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            hold();
            while (written.get() < 1_000_000_000) {
                exchange.getResponseBody().write(new byte[1000]);
                exchange.getResponseBody().flush();
                written.addAndGet(1000);
            }
        });
        ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon());
        Task closer = platform.spawn("closer", stream::close);
        assertThatThrownBy(() -> stream.nextLine(soon())).hasMessageContaining("closed");
        closer.join(soon());
        releaseAll();
        server.stop(5);
        assertThat(written.get()).isLessThan(100_000_000);
    }

    @Test
    void slowReadersSlowTheServerDown() throws Exception {
        AtomicInteger written = new AtomicInteger();
        Monitor progress = platform.monitor();
        int total = 50_000_000;
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] line = ("x".repeat(9_999) + "\n").getBytes(StandardCharsets.UTF_8);
            while (written.get() < total) {
                exchange.getResponseBody().write(line);
                progress.locked(() -> written.addAndGet(line.length));
            }
        });
        try (ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon())) {
            assertThat(stream.nextLine(soon())).hasSize(9_999);
            boolean allWritten =
                    progress.awaitTrue(() -> written.get() >= total, platform.after(Duration.ofMillis(500)));
            assertThat(allWritten).as("all written: %s", written).isFalse();
            long read = 1;
            while (stream.nextLine(soon()) != null) {
                read++;
            }
            assertThat(read).isEqualTo(total / 10_000);
        }
    }

    @Test
    void streamsBodiesAsBytes() throws Exception {
        serving(exchange -> answer(exchange, 200, "some text"));
        try (ResponseStream stream = transport.open(TransportRequest.get("/"), soon())) {
            assertThat(stream.body(Duration.ofSeconds(10)).readAllBytes())
                    .asString()
                    .isEqualTo("some text");
        }
    }

    @Test
    void limitsTheRequestsInFlightButNotTheWatches() throws Exception {
        NetworkSettings two = new NetworkSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                null,
                new Retries(List.of(), true, false),
                2,
                false,
                false);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        serving(exchange -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            platformSleep(Duration.ofMillis(20));
            running.decrementAndGet();
            answer(exchange, 200, "x");
        });
        try (SocketTransport limited = new SocketTransport(platform, builder().build(), two, deadlines)) {
            List<ResponseStream> watches = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                watches.add(limited.open(TransportRequest.get("/?watch=true"), soon()));
            }
            most.set(0);
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tasks.add(platform.spawn("request", () -> sendQuietly(limited)));
            }
            for (Task task : tasks) {
                assertThat(task.join(soon())).isTrue();
            }
            assertThat(most.get()).isBetween(1, 2);
            watches.forEach(ResponseStream::close);
        }
    }

    @Test
    void urgentRequestsDoNotWaitForThoseInFlight() throws Exception {
        NetworkSettings one = new NetworkSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                null,
                new Retries(List.of(), true, false),
                1,
                false,
                false);
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch renewed = new CountDownLatch(1);
        serving(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/lease")) {
                renewed.countDown();
            } else {
                arrived.countDown();
                await(renewed);
            }
            answer(exchange, 200, "x");
        });
        try (SocketTransport limited = new SocketTransport(platform, builder().build(), one, deadlines)) {
            Task slow = platform.spawn("request", () -> sendQuietly(limited));
            await(arrived);
            assertThat(limited.send(TransportRequest.get("/lease").urgent(true), soon())
                            .status())
                    .isEqualTo(200);
            assertThat(slow.join(soon())).isTrue();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void platformSleep(Duration duration) {
        try {
            platform.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendQuietly(Transport sender) {
        try {
            sender.send(TransportRequest.get("/"), soon());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void retiredTransportsTakeNoRequestsButKeepTheirStreams() throws Exception {
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("one\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            hold();
            exchange.getResponseBody().write("two\n".getBytes(StandardCharsets.UTF_8));
        });
        ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon());
        assertThat(stream.nextLine(soon())).asString().isEqualTo("one");
        transport.closeWhenIdle();
        assertThatThrownBy(() -> transport.send(TransportRequest.get("/"), soon()))
                .isInstanceOf(ClosedTransportException.class);
        releaseAll();
        assertThat(stream.nextLine(soon())).asString().isEqualTo("two");
        stream.close();
        assertThatThrownBy(() -> transport.send(TransportRequest.get("/"), soon()))
                .isInstanceOf(ClosedTransportException.class);
    }

    @Test
    void closingBreaksTheStreams() throws Exception {
        serving(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            hold();
        });
        ResponseStream stream = transport.open(TransportRequest.get("/?watch=true"), soon());
        transport.close();
        assertThatThrownBy(() -> stream.nextLine(soon())).isInstanceOf(IOException.class);
    }
}
