package dev.kopf4j.engine.probe;

import static dev.kopf4j.client.api.WellKnownResources.LEASES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.Headers;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Kopf;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.simulation.BusyCarriers;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes through real sockets. */
class ProbeServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(70);

    private final SystemPlatform platform = new SystemPlatform();
    private final HttpClient client = HttpClient.newHttpClient();
    private int calls;

    private HttpResponse<String> ask(int port, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static StreamState stream(boolean listed, @Nullable String trouble, Duration silence) {
        return new StreamState(LEASES, null, listed, false, trouble, silence, 3);
    }

    private static OperatorState state(StreamState... streams) {
        return new OperatorState(true, List.of(), List.of(), List.of(streams));
    }

    private LivenessPage liveness(OperatorState state) {
        return new LivenessPage(
                platform,
                () -> {
                    calls++;
                    return Map.of("now", calls);
                },
                () -> state,
                Duration.ofSeconds(510),
                List::of);
    }

    /** Messages of errors are among what memory knows of an object. */
    @ParameterizedTest
    @Tag("Q03")
    @CsvSource({"127.0.0.1, true", "127.1.2.3, true", "::1, true", "10.0.0.7, false", "fe80::1, false"})
    void whatIsKnownOfAnObjectIsToldToTheOwnMachineAlone(String asking, boolean told) {
        ReadinessPage page = new ReadinessPage(
                () -> state(),
                PATIENCE,
                uid -> Optional.of(Json.object().put("message", "no disk for " + uid)),
                query -> "recorded of " + query.object().name());
        assertThat(ProbeServer.isOwn(InetAddress.ofLiteral(asking), Map.of("Host", List.of("localhost:8080"))))
                .isEqualTo(told);
        assertThat(ProbeServer.content(page, "uid=u1").text()).contains("no disk for u1");
        assertThat(ProbeServer.content(page, null).text()).doesNotContain("object");
        assertThat(ProbeServer.content(page, "history=pod/x").text()).contains("recorded of x");
    }

    /** A name that leads here, a page of another site, a proxy in the same pod. */
    @ParameterizedTest
    @Tag("Q03")
    @CsvSource({
        "Host, evil.example:8080",
        "Host, 10.1.2.3:8080",
        "Origin, https://evil.example",
        "X-Forwarded-For, 10.1.2.3",
        "Forwarded, for=10.1.2.3"
    })
    void whoAsksForOthersIsToldNothingOfObjects(String header, String value) {
        Headers headers = new Headers();
        headers.set("Host", "127.0.0.1:8080");
        InetAddress own = InetAddress.getLoopbackAddress();
        assertThat(ProbeServer.isOwn(own, headers)).isTrue();
        headers.set(header, value);
        assertThat(ProbeServer.isOwn(own, headers)).isFalse();
    }

    @Test
    @Tag("K04")
    @Tag("L53")
    @Tag("G04")
    void answersAtTheExactPathOnlyAndCachesProbes() throws Exception {
        ListenAddress listenAddress = ListenAddress.parse("http://localhost:0/healthz");
        try (var server = ProbeServer.start(platform, Map.of(listenAddress, liveness(state())))) {
            int port = server.ports().getFirst();
            assertThat(ask(port, "/healthz").body()).isEqualTo("{\"now\":1}");
            assertThat(ask(port, "/healthz?x=y").body()).isEqualTo("{\"now\":1}");
            assertThat(ask(port, "/healthz/x").statusCode()).isEqualTo(404);
            assertThat(ask(port, "/").statusCode()).isEqualTo(404);
            var posted = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/healthz"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(posted.statusCode()).isEqualTo(405);
        }
    }

    @Test
    @Tag("K04")
    void answersHoweverMuchHandlersCompute() throws Exception {
        ListenAddress listenAddress = ListenAddress.parse("http://localhost:0/healthz");
        try (var server = ProbeServer.start(platform, Map.of(listenAddress, liveness(state())));
                BusyCarriers _ = new BusyCarriers();
                Socket socket = new Socket("localhost", server.ports().getFirst())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readAllBytes()).asString().contains("{\"now\":1}");
        }
    }

    @Test
    void endpointsOfOnePortShareItsListener() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        MetricsPage metrics = new MetricsPage(() -> PATIENCE);
        metrics.handlerEnded(new HandlerCall(
                "make", HandlerKind.CREATE, LEASES, HandlerCall.Outcome.ERROR, 1, Duration.ofMillis(30)));
        metrics.processingBegan(LEASES, Duration.ofMillis(3));
        metrics.objectUnreadable(LEASES);
        metrics.requestEnded("PATCH", 200, Duration.ofMillis(7));
        metrics.observe(() -> state(stream(true, null, Duration.ofMillis(1500))));
        Map<ListenAddress, ProbePage> pages = Map.of(
                ListenAddress.parse("http://localhost:" + port + "/healthz"),
                liveness(state()),
                ListenAddress.parse("http://localhost:" + port + "/metrics"),
                metrics);
        try (var server = ProbeServer.start(platform, pages)) {
            assertThat(server.ports()).containsExactly(port);
            assertThat(ask(port, "/healthz").statusCode()).isEqualTo(200);
            assertThat(ask(port, "/metrics").body())
                    .contains(
                            "kopf4j_handler_calls_total{handler=\"make\",kind=\"create\",resource=\"leases\",group=\"coordination.k8s.io\",outcome=\"error\"} 1\n",
                            "kopf4j_handler_retries_total{handler=\"make\",kind=\"create\",resource=\"leases\",group=\"coordination.k8s.io\"} 1\n",
                            "kopf4j_handler_seconds_bucket{handler=\"make\",kind=\"create\",resource=\"leases\",group=\"coordination.k8s.io\",le=\"0.025\"} 0\n",
                            "kopf4j_handler_seconds_bucket{handler=\"make\",kind=\"create\",resource=\"leases\",group=\"coordination.k8s.io\",le=\"0.1\"} 1\n",
                            "kopf4j_event_wait_seconds_count{resource=\"leases\",group=\"coordination.k8s.io\"} 1\n",
                            "kopf4j_unreadable_objects_total{resource=\"leases\",group=\"coordination.k8s.io\"} 1\n",
                            "kopf4j_api_requests_total{verb=\"PATCH\",code=\"200\"} 1\n",
                            "kopf4j_stream_queue{resource=\"leases\",group=\"coordination.k8s.io\",version=\"v1\",watched_namespace=\"\"} 3.0\n",
                            "kopf4j_stream_silence_seconds{resource=\"leases\",group=\"coordination.k8s.io\",version=\"v1\",watched_namespace=\"\"} 1.5\n",
                            "kopf4j_paused 0\n",
                            "kopf4j_troubles 0\n");
        }
    }

    /** Who begins requests and does not end them keeps nobody out. */
    @Test
    @Tag("L53")
    void slowClientsDoNotKeepProbesOut() throws Exception {
        ListenAddress listenAddress = ListenAddress.parse("http://127.0.0.1:0/healthz");
        List<Socket> slow = new ArrayList<>();
        try (var server = ProbeServer.start(platform, Map.of(listenAddress, liveness(state())))) {
            int port = server.ports().getFirst();
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
                slow.add(socket);
                socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(ask(port, "/healthz").statusCode()).isEqualTo(200);
            slow.getFirst().setSoTimeout(60_000);
            assertThat(slow.getFirst().getInputStream().read()).as("cut").isEqualTo(-1);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** An alert waits for the figure, and would never fire otherwise. */
    @Test
    void theFigureOfReadinessIsTheAnswerOfItsPage() {
        for (OperatorState state : List.of(
                state(stream(true, null, Duration.ofSeconds(69))),
                state(stream(true, null, Duration.ofSeconds(71))),
                state(stream(true, "HTTP 500", Duration.ZERO)),
                state(stream(false, null, Duration.ZERO)),
                new OperatorState(true, List.of("a kind is not served"), List.of(), List.of()),
                OperatorState.STARTING)) {
            MetricsPage metrics = new MetricsPage(() -> PATIENCE);
            metrics.observe(() -> state);
            boolean ready = new ReadinessPage(() -> state, Duration.ofSeconds(70))
                            .content()
                            .status()
                    == 200;
            assertThat(metrics.content().text()).contains("kopf4j_build_info{version=\"" + Kopf.version() + "\"} 1\n");
            assertThat(metrics.content().text()).as("%s", state).contains("kopf4j_ready " + (ready ? 1 : 0) + "\n");
        }
    }

    @Test
    void aReplicaThatSharesTheObjectsTellsItsShards() {
        OperatorState state = new OperatorState(
                true, List.of(), List.of(), List.of(), true, new OperatorState.Shards(64, 33, "0-31,40"));
        MetricsPage metrics = new MetricsPage(() -> PATIENCE);
        metrics.observe(() -> state);
        assertThat(metrics.content().text()).contains("kopf4j_shards 64\n", "kopf4j_shards_served 33\n");
        assertThat(new ReadinessPage(() -> state, Duration.ofMinutes(1))
                        .content()
                        .text())
                .contains("\"shards\":{\"served\":\"0-31,40\",\"of\":64}");
        metrics.observe(ProbeServerTest::state);
        assertThat(metrics.content().text()).as("alone").doesNotContain("kopf4j_shards");
    }

    @Test
    void portInUseIsToldInClearWords() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ListenAddress listenAddress = new ListenAddress("localhost", taken.getLocalPort(), "/healthz");
            assertThatExceptionOfType(OperatorException.class)
                    .isThrownBy(() -> ProbeServer.start(platform, Map.of(listenAddress, liveness(state()))))
                    .withMessageContaining("Cannot serve at localhost:" + taken.getLocalPort())
                    .withMessageContaining("choose another one");
        }
    }

    @Test
    @Tag("L53")
    void livenessIsRedForFailingProbesAndStreamsThatNobodyReads() throws InterruptedException {
        LivenessPage failing = new LivenessPage(
                platform,
                () -> {
                    throw new OperatorException("One or more handlers of the probe activity failed: 'db': no route");
                },
                () -> state(),
                Duration.ofSeconds(70),
                List::of);
        assertThat(failing.content())
                .isEqualTo(new ProbePage.Response(
                        500,
                        "application/json",
                        "{\"errors\":[\"One or more handlers of the probe activity failed: 'db': no route\"]}"));
        assertThat(liveness(state(stream(true, "HTTP 500", Duration.ofHours(1))))
                        .content()
                        .status())
                .as("a stream that is being restored is no reason to restart")
                .isEqualTo(200);
        assertThat(liveness(state(stream(true, null, Duration.ofSeconds(510))))
                        .content()
                        .status())
                .isEqualTo(200);
        ProbePage.Response stuck =
                liveness(state(stream(true, null, Duration.ofSeconds(511)))).content();
        assertThat(stuck.status()).isEqualTo(500);
        assertThat(stuck.text())
                .contains(
                        "nothing was heard of leases.v1.coordination.k8s.io cluster-wide for 511 s, and nobody tries");
        assertThat(LivenessPage.patience(new OperatorSettings())).isEqualTo(Duration.ofSeconds(510));
    }

    private static Resource leases(String version) {
        return new Resource("example.com", version, LEASES.names(), LEASES.subresources(), true, true, LEASES.verbs());
    }

    @Test
    void kindsOfOneNameAndStreamsOfOneKindAreToldApart() {
        Resource other = leases("v1");
        MetricsPage metrics = new MetricsPage(() -> PATIENCE);
        for (Resource each : List.of(LEASES, other)) {
            metrics.handlerEnded(new HandlerCall(
                    "make", HandlerKind.CREATE, each, HandlerCall.Outcome.ERROR, 1, Duration.ofMillis(30)));
            metrics.processingBegan(each, Duration.ofMillis(3));
            metrics.objectUnreadable(each);
            metrics.handlingPaused(each, true);
        }
        metrics.observe(() -> state(
                new StreamState(other, "a", true, false, null, Duration.ZERO, 3),
                new StreamState(other, "b", true, false, null, Duration.ZERO, 4),
                new StreamState(leases("v2"), "a", true, false, null, Duration.ZERO, 5)));
        assertThat(metrics.content().text())
                .contains(
                        "calls_total{handler=\"make\",kind=\"create\",resource=\"leases\",group=\"example.com\",outcome=\"error\"} 1\n",
                        "kopf4j_event_wait_seconds_count{resource=\"leases\",group=\"coordination.k8s.io\"} 1\n",
                        "kopf4j_event_wait_seconds_count{resource=\"leases\",group=\"example.com\"} 1\n",
                        "kopf4j_unreadable_objects_total{resource=\"leases\",group=\"example.com\"} 1\n",
                        "kopf4j_object_pauses_total{resource=\"leases\",group=\"example.com\",transition=\"paused\"} 1\n",
                        "kopf4j_stream_queue{resource=\"leases\",group=\"example.com\",version=\"v1\",watched_namespace=\"a\"} 3.0\n",
                        "kopf4j_stream_queue{resource=\"leases\",group=\"example.com\",version=\"v1\",watched_namespace=\"b\"} 4.0\n",
                        "kopf4j_stream_queue{resource=\"leases\",group=\"example.com\",version=\"v2\",watched_namespace=\"a\"} 5.0\n");
        assertThat(metrics.content().text().lines().filter(line -> !line.startsWith("#")))
                .extracting(line -> line.substring(0, line.lastIndexOf(' ')))
                .hasSizeGreaterThan(50)
                .doesNotHaveDuplicates();
    }

    @Test
    void readinessTellsOfEachStream() {
        assertThat(new ReadinessPage(
                                () -> state(new StreamState(LEASES, "a", true, false, null, Duration.ZERO, 3)),
                                PATIENCE)
                        .content()
                        .text())
                .contains("\"group\":\"coordination.k8s.io\",\"version\":\"v1\",\"namespace\":\"a\",\"listed\"");
        ReadinessPage well = new ReadinessPage(() -> state(stream(true, null, Duration.ofMillis(1500))), PATIENCE);
        assertThat(well.content())
                .isEqualTo(new ProbePage.Response(
                        200,
                        "application/json",
                        "{\"ready\":true,\"paused\":[],\"troubles\":[],\"streams\":[{\"stream\":\"leases.v1.coordination.k8s.io cluster-wide\","
                                + "\"resource\":\"leases\",\"group\":\"coordination.k8s.io\",\"version\":\"v1\","
                                + "\"listed\":true,\"paused\":false,\"silentSeconds\":1.500}]}"));
        ReadinessPage disturbed = new ReadinessPage(() -> state(stream(true, "HTTP 403", Duration.ZERO)), PATIENCE);
        assertThat(disturbed.content().status()).isEqualTo(503);
        assertThat(disturbed.content().text()).contains("\"trouble\":\"HTTP 403\"");
        ReadinessPage silent = new ReadinessPage(() -> state(stream(true, null, Duration.ofSeconds(71))), PATIENCE);
        assertThat(silent.content().status()).isEqualTo(503);
        assertThat(silent.content().text()).contains("\"trouble\":\"nothing was heard for 71 s\"");
        assertThat(new ReadinessPage(() -> OperatorState.STARTING, PATIENCE)
                        .content()
                        .status())
                .isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({
        "http://0.0.0.0:8080/healthz, 0.0.0.0, 8080, /healthz",
        "http://example:8080, example, 8080, /",
        "http://example/x, example, 80, /x",
        "http://:8080/x, localhost, 8080, /x",
        "http://[::]:8080/x, ::, 8080, /x",
    })
    void addressesAreReadAsPeopleWriteThem(String url, String host, int port, String path) {
        assertThat(ListenAddress.parse(url)).isEqualTo(new ListenAddress(host, port, path));
    }
}
