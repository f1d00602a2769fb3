package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Probes and metrics of the program in a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class ServingTest {
    private static final String OPERATOR = """
            import dev.kopf4j.*;

            class Example {
                @OnProbe int answer() { return 42; }
                @OnCreate("kopfexamples") void fn() {}
            }
            """;

    @TempDir
    private Path folder;

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static HttpResponse<String> ask(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** A cycle is told of before what it has done is written. */
    private static String metricsOnceThere(String url, String part) throws IOException, InterruptedException {
        Instant end = Instant.now().plusSeconds(30);
        String metrics = ask(url).body();
        while (!metrics.contains(part) && Instant.now().isBefore(end)) {
            metrics = ask(url).body();
        }
        return metrics;
    }

    @Test
    @Tag("K04")
    @Tag("G04")
    void tellsHowItIsDoing() throws Exception {
        Files.writeString(folder.resolve("Example.java"), OPERATOR);
        Files.writeString(folder.resolve("manifests.yaml"), StartedOperatorTest.MANIFESTS);
        String at = "http://localhost:" + freePort();
        try (var program = Kopf4j.startIn(
                folder,
                "run",
                "--devcluster",
                "--liveness",
                at + "/healthz",
                "--readiness",
                at + "/ready",
                "--metrics",
                at + "/metrics",
                "Example.java")) {
            program.awaitLog("Handler 'fn' succeeded.", Kopf4j.PATIENCE);
            program.awaitLog("Creation is processed", Kopf4j.PATIENCE);
            assertThat(ask(at + "/healthz").body()).isEqualTo("{\"answer\":42}");
            assertThat(metricsOnceThere(at + "/metrics", "verb=\"PATCH\""))
                    .contains(
                            "kopf4j_handler_calls_total{handler=\"fn\",kind=\"create\",resource=\"kopfexamples\",group=\"kopf.dev\","
                                    + "outcome=\"succeeded\"} 1")
                    .containsPattern("kopf4j_api_requests_total\\{verb=\"PATCH\",code=\"200\"} \\d")
                    .contains("kopf4j_event_wait_seconds_count{resource=\"kopfexamples\",group=\"kopf.dev\"}")
                    .contains(
                            "kopf4j_stream_disturbed{resource=\"kopfexamples\",group=\"kopf.dev\",version=\"v1\",watched_namespace=\"");
            assertThat(ask(at + "/ready").body()).contains("\"listed\":true");
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void portInUseIsAFailureInClearWords() throws Exception {
        Files.writeString(folder.resolve("Example.java"), OPERATOR);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var program = Kopf4j.startIn(
                        folder,
                        "run",
                        "--devcluster",
                        "--liveness",
                        "http://localhost:" + taken.getLocalPort() + "/healthz",
                        "Example.java")) {
            program.awaitLog("kopf4j: K4-023: Cannot serve at localhost:" + taken.getLocalPort(), Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.FAILURE);
        }
    }
}
