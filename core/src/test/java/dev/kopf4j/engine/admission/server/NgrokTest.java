package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorException;
import dev.kopf4j.webhook.NgrokTunnel;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tunnel with programs that behave like ngrok, as far as the framework sees it. */
class NgrokTest {
    /** What ngrok 3 writes with {@code --log-format json}. */
    private static final String STARTED = """
            {"lvl":"info","msg":"starting web service","obj":"web","addr":"127.0.0.1:4040"}
            {"lvl":"info","msg":"started tunnel","obj":"tunnels","name":"command_line","addr":"http://x","url":"https://ab.ngrok-free.app"}""";

    @TempDir
    private Path folder;

    /** A program that notes how it was called, prints something, and then does something. */
    private NgrokTunnel ngrok(String output, String then) throws IOException {
        Files.writeString(folder.resolve("output"), output + "\n");
        Path program = folder.resolve("ngrok");
        Files.writeString(program, """
                #!/bin/sh
                cd "$(dirname "$0")"
                echo "$@" > called
                echo "$NGROK_AUTHTOKEN" > token
                cat output
                %s
                """.formatted(then));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return WebhookServer.ngrok().binary(program);
    }

    @Test
    @Tag("J18")
    void thePublicAddressIsPublishedAndLeadsToTheServer() throws Exception {
        NgrokTunnel tunnel =
                ngrok(STARTED, "exec sleep 60").path("/hooks").region("eu").token("t0ken");
        Path called = folder.resolve("called");
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            assertThat(bench.nextConfig()).isEqualTo(WebhookClientConfig.url("https://ab.ngrok-free.app/hooks"));
            List<String> words = List.of(Files.readString(called).strip().split(" ", -1));
            assertThat(words)
                    .startsWith("http")
                    .endsWith("--log", "stdout", "--log-format", "json", "--region", "eu")
                    .doesNotContain("t0ken");
            assertThat(folder.resolve("token")).hasContent("t0ken");
            String local = "http://" + words.get(1) + "/hooks/fn";
            assertThat(ServerBench.post(ServerBench.client(null), local, "x").body())
                    .isEqualTo("fn|x");
        }
    }

    @Test
    @Tag("J18")
    void theProgramEndsWithTheOperator() throws Exception {
        NgrokTunnel tunnel = ngrok(STARTED, "echo $$ > pid; cat output; exec sleep 60");
        ProcessHandle process;
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            bench.nextConfig();
            bench.nextConfig(); // written after the process id
            process = ProcessHandle.of(Long.parseLong(
                            Files.readString(folder.resolve("pid")).strip()))
                    .orElseThrow();
        }
        assertThat(process.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }

    @Test
    @Tag("J18")
    @Tag("L38")
    void withoutTheProgramTheWayOutIsTold() throws Exception {
        NgrokTunnel tunnel = WebhookServer.ngrok().binary(folder.resolve("missing"));
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining(folder.resolve("missing").toString())
                    .hasMessageContaining("Install ngrok");
        }
    }

    @Test
    @Tag("J18")
    void whyNgrokHasEndedIsTold() throws Exception {
        NgrokTunnel tunnel = ngrok(
                "{\"lvl\":\"eror\",\"msg\":\"session closing\",\"err\":\"authentication failed: ERR_NGROK_4018\"}",
                "exit 1");
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining("ERR_NGROK_4018");
        }
        try (ServerBench bench = new ServerBench(ngrok("ERROR: unknown flag: --log", "exit 1"), ServerBench::echo)) {
            assertThatThrownBy(bench::nextConfig)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining("unknown flag");
        }
    }

    @Test
    @Tag("J18")
    void aTunnelThatBreaksLaterEndsTheServer() throws Exception {
        NgrokTunnel tunnel = ngrok(STARTED, "exit 0");
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            bench.nextConfig();
            assertThat(bench.end()).isInstanceOf(OperatorException.class).hasMessageContaining("has ended");
        }
    }
}
