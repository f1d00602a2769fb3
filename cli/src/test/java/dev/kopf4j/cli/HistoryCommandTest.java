package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.PermanentException;
import dev.kopf4j.cli.operation.FolderLines;
import dev.kopf4j.cli.operation.ToldHistory;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.recording.RecordedObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kopf4j history} beside an operator that runs. */
class HistoryCommandTest {
    private static final String CANARY = "canary-6c1f";

    @TempDir
    private Path folder;

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults());

    private String kubeconfig = "";

    @BeforeEach
    void prepare() throws IOException {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        kubeconfig = file.toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private OperatorHandle start(String readiness, int memory, boolean values) {
        return Operator.builder()
                .onCreate("secrets", "create", context -> {
                    throw new PermanentException("it holds " + context.body().get("stringData") + CANARY);
                })
                .onCreate("configmaps", "made", context -> null)
                .kubeconfig(Path.of(kubeconfig))
                .namespaces("default")
                .readiness(readiness)
                .settings(each -> each.recorder().memory(memory).values(values).folder(record().toString()))
                .build()
                .start();
    }

    private Path record() {
        return folder.resolve("record");
    }

    private static String history(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return run.out();
    }

    @Test
    @Tag("Q20")
    @Tag("Q21")
    void tellsWhatTheOperatorHasDoneAndNothingOfSecrets() throws IOException {
        String readiness = "http://127.0.0.1:" + freePort() + "/ready";
        cluster.apply("""
                apiVersion: v1
                kind: Secret
                metadata: {name: s, namespace: default}
                stringData: {password: %s}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c, namespace: default}
                """.formatted(CANARY));
        try (OperatorHandle _ = start(readiness, 4, true)) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(history("history", "--readiness", readiness))
                            .contains("create failed for good", "made succeeded"));
            assertThat(history("history", "configmap/c", "--readiness", readiness, "-n", "default"))
                    .containsSubsequence(
                            "event    LISTED",
                            "create: handlers made",
                            "call     made begins",
                            "request  PATCH",
                            "cycle    ends")
                    .doesNotContain("Secret");
            String secret = history("history", "secrets/s", "--readiness", readiness, "-o", "json");
            assertThat(secret)
                    .contains(
                            "\"step\":\"call-ended\"",
                            "\"outcome\":\"permanent\"",
                            "\"failure\":\"PermanentException\"")
                    .doesNotContain("position");
            assertThat(secret + history("history", "--readiness", readiness)).doesNotContain(CANARY, cluster.token());
            assertThat(history("history", "website/shop", "--readiness", readiness))
                    .contains(
                            "Nothing is recorded of that object, not yet or not any more; of these kinds there is: ConfigMap, Secret (short names");
            assertNothingForPrograms("--readiness", readiness);
        }
        theFolderTellsTheSameAfterTheEnd();
    }

    private static void assertNothingForPrograms(String option, String where) {
        CommandRun run = CommandRun.of("history", "website/shop", option, where, "-o", "json");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Nothing is recorded of that object");
    }

    @Test
    @Tag("Q20")
    void ofAnObjectWithoutLinesItIsToldThatTheBeginningIsGone() {
        List<String> told = new ArrayList<>();
        ToldHistory history = new ToldHistory(RecordedObject.of("widget/x", ""), false, ZoneOffset.UTC, told::add);
        String lost = "{'n':1,'at':'2026-01-01T10:00:00.000Z','step':'lost','count':7}".replace('\'', '"');
        assertThat(history.tell(Stream.of(lost))).as("lines of the object").isZero();
        assertThat(told).singleElement().asString().endsWith("7 lines are missing here");
        assertThat(history.nothing()).isEqualTo("Nothing is recorded of that object, not yet or not any more.");
    }

    private void theFolderTellsTheSameAfterTheEnd() throws IOException {
        String where = record().toString();
        try (Stream<Path> files = Files.list(record())) {
            Path file = files.findFirst().orElseThrow();
            Files.writeString(file, "{\"n\":99999,\"at\":\"20", StandardOpenOption.APPEND); // cut by a kill
        }
        assertThat(history("history", "configmap/c", "--folder", where, "-n", "default"))
                .containsSubsequence(
                        "event    LISTED", "create: handlers made", "call     made begins", "cycle    ends")
                .doesNotContain("Secret");
        String all = history("history", "--folder", where);
        assertThat(all).contains("operator starts", "create failed for good", "operator ended");
        assertThat(all + history("history", "--folder", where, "-o", "json")).doesNotContain(CANARY, cluster.token());
        assertThat(history("history", "website/shop", "--folder", where))
                .contains(
                        "Nothing is recorded of that object, not yet or not any more; of these kinds there is: ConfigMap, Secret (short names");
        assertNothingForPrograms("--folder", where);
    }

    @Test
    @Tag("Q20")
    void whoFollowsAFolderReadsOnWhileItIsWritten() throws IOException {
        Files.createDirectories(record());
        Path first = record().resolve("record-20260101T100000.000Z-000001.jsonl");
        Files.writeString(first, line(1) + "{\"n\":2,");
        List<String> read = new CopyOnWriteArrayList<>();
        Thread follower = Thread.ofVirtual().start(() -> {
            try {
                new FolderLines(record(), read::add).follow();
            } catch (IOException | InterruptedException e) {
                read.add(e.toString());
            }
        });
        await().untilAsserted(() -> assertThat(read).hasSize(1));
        Files.writeString(first, line(2).substring("{\"n\":2,".length()), StandardOpenOption.APPEND);
        await().untilAsserted(() -> assertThat(read).hasSize(2));
        Files.writeString(record().resolve("record-20260101T100000.000Z-000002.jsonl"), line(3));
        await().untilAsserted(() -> assertThat(read).hasSize(3));
        follower.interrupt();
        await().untilAsserted(() -> assertThat(read).hasSize(4));
        assertThat(read).startsWith(line(1).strip(), line(2).strip(), line(3).strip());
    }

    private static String line(int number) {
        return "{\"n\":" + number
                + ",\"at\":\"2026-01-01T10:00:00.000Z\",\"step\":\"operator\",\"stage\":\"starts\"}\n";
    }

    @Test
    @Tag("Q20")
    void whatIsWrongIsSaid() throws IOException {
        String readiness = "http://127.0.0.1:" + freePort() + "/ready";
        CommandRun nobody = CommandRun.of("history", "--readiness", readiness);
        assertThat(nobody.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(nobody.err()).contains("does not answer at " + readiness, "port-forward");
        assertThat(CommandRun.of("history").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("history", "--readiness", readiness, "--folder", ".")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        CommandRun empty = CommandRun.of("history", "--folder", record().toString());
        assertThat(empty.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(empty.err()).contains("There is no record in " + record(), "recorder.folder");
        assertThat(CommandRun.of("history").err()).contains("--readiness URL");
        assertThat(CommandRun.of("history", "-o", "xml", "--readiness", readiness)
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        CommandRun twoSlashes = CommandRun.of("history", "kopfexamples/default/one", "--readiness", readiness);
        assertThat(twoSlashes.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(twoSlashes.err()).contains("'kopfexamples/default/one' names no object", "the namespace by -n");
        try (OperatorHandle _ = start(readiness, 0, false)) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(CommandRun.of("history", "--readiness", readiness)
                                    .err())
                            .contains("There is no record at", "recorder.memory is 0"));
        }
    }
}
