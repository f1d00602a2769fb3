package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.devcluster.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators in processes of their own make way for each other, and for one that speaks as Kopf does. */
@Tag("H04")
class PeeringProcessesTest {
    private static final String PEERING = "/apis/kopf.dev/v1/clusterkopfpeerings/default";
    private static final String PAUSING = "Pausing operations in favour of";
    private static final String RESUMING = "Resuming operations after the pause.";

    @TempDir
    private Path folder;

    @AutoClose
    private final TestCluster cluster = TestCluster.start(Options.defaults());

    @BeforeEach
    void definePeerings() {
        cluster.cluster().apply(TestCluster.manifest("deploy/peering-types.yaml"));
        cluster.cluster().apply(TestCluster.manifest("deploy/peering.yaml"));
    }

    private RunningProgram start(String name, int priority) {
        return Kopf4j.start(
                Map.of(LoggedHandlers.FILE, calls(name).toString(), "POD_ID", name),
                "run",
                "-A",
                "--kubeconfig",
                cluster.writeKubeconfig(folder.resolve("kubeconfig")).toString(),
                "--peering",
                "default",
                "--priority",
                Integer.toString(priority),
                "-m",
                LoggedHandlers.class.getName(),
                LoggedHandlers.folder().toString());
    }

    private Path calls(String name) {
        return folder.resolve(name + ".calls");
    }

    private void createAndAwait(String name) {
        cluster.createExample("default", name);
        awaitHandled(name);
    }

    private void awaitHandled(String name) {
        await(name).atMost(Kopf4j.PATIENCE).until(() -> cluster.isHandled("default", name, "value"));
    }

    private static void awaitLogs(RunningProgram operator, String text, int times) {
        await(text).atMost(Kopf4j.PATIENCE).until(() -> operator.logged(text) >= times);
    }

    private boolean isMember(String name) {
        return cluster.get(PEERING).path("status").has(name);
    }

    /** A sign of life as the framework for Python writes it. */
    private Instant signOfLifeByKopf(int priority, Duration lifetime) {
        Instant now = Instant.now();
        cluster.send(
                "PATCH",
                PEERING,
                "{\"status\":{\"python\":{\"priority\":" + priority + ",\"lifetime\":" + lifetime.toSeconds()
                        + ",\"lastseen\":\"" + now.toString().replace("Z", "+00:00") + "\"}}}");
        return now.plus(lifetime);
    }

    @Test
    void theHigherPriorityActsAndTheLowerOneGoesOnAfterIt() {
        try (RunningProgram low = start("low", 10)) {
            createAndAwait("a");
            assertThat(isMember("low")).isTrue();
            try (RunningProgram high = start("high", 20)) {
                awaitLogs(low, PAUSING, 1);
                createAndAwait("b");
                high.terminate();
                assertThat(high.awaitExit(Kopf4j.PATIENCE)).as("%s", high).isZero();
            }
            assertThat(isMember("high")).isFalse();
            awaitLogs(low, RESUMING, 1);
            createAndAwait("c");

            Instant end = signOfLifeByKopf(100, Duration.ofSeconds(4));
            awaitLogs(low, PAUSING, 2);
            createAndAwait("d");
            assertThat(Instant.now()).isAfterOrEqualTo(end);
            awaitLogs(low, RESUMING, 2);
            await("the dead peer is removed").atMost(Kopf4j.PATIENCE).until(() -> !isMember("python"));

            low.terminate();
            assertThat(low.awaitExit(Kopf4j.PATIENCE)).as("%s", low).isZero();
            assertThat(isMember("low")).isFalse();
            assertThat(LoggedHandlers.calls(calls("low")))
                    .isEqualTo(List.of("first a", "second a", "first c", "second c", "first d", "second d"));
            assertThat(LoggedHandlers.calls(calls("high"))).isEqualTo(List.of("first b", "second b"));
        }
    }
}
