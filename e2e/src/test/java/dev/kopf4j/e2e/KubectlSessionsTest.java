package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What kubectl printed at a real API server, it prints at the dev cluster: with TLS, credentials and RBAC. */
@Execution(ExecutionMode.CONCURRENT)
class KubectlSessionsTest {
    private static final Path SESSIONS = Kopf4j.ROOT.resolve("devcluster/src/test/resources/conformance/kubectl");
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    static List<String> sessions() throws IOException {
        try (Stream<Path> files = Files.list(SESSIONS)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void printsWhatWasRecorded(String file) throws Exception {
        Kubectl.require();
        JsonNode session = JSON.readTree(Files.readString(SESSIONS.resolve(file)));
        List<String> differences = new ArrayList<>();
        AtomicLong watches = new AtomicLong();
        Options options = Options.defaults().https(true).rbac(true).requestLog(line -> {
            if (line.contains("watch=true")) {
                watches.incrementAndGet();
            }
        });
        try (DevCluster cluster = DevCluster.start(options)) {
            Path kubeconfig = folder.resolve("kubeconfig");
            cluster.writeKubeconfig(kubeconfig);
            Kubectl.requireRecorded(folder, kubeconfig);
            try (var replay = new KubectlSession(session, cluster, watches::get, "kqzwxvjy", folder, kubeconfig)) {
                replay.setUp();
                replay.replay(differences::add);
            }
        }
        assertThat(differences).as(() -> String.join("\n\n", differences)).isEmpty();
        assertThat(session.path("commands").size()).isGreaterThan(5);
    }
}
