package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kopf4j devcluster}, in a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class StartedClusterTest {
    private static final String EXPORT = "export KUBECONFIG=";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void stopsGracefullyAndTakesItsTemporaryKubeconfigAway(String signal) throws Exception {
        try (var program = Kopf4j.startIn(folder, "devcluster")) {
            Path kubeconfig = Kopf4j.kubeconfig(program);
            assertThat(kubeconfig).isAbsolute().content().contains("server: https://127.0.0.1:");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
                    .isEqualTo("rw-------");

            program.signal(signal);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
            assertThat(kubeconfig).doesNotExist();
        }
    }

    @Test
    void leavesTheKubeconfigThatWasNamed() throws Exception {
        Path kubeconfig = folder.resolve("my config");
        try (var program = Kopf4j.startIn(folder, "devcluster", "--kubeconfig", "my config")) {
            assertThat(program.awaitOutput(EXPORT, Kopf4j.PATIENCE)).isEqualTo("'" + kubeconfig.toRealPath() + "'");
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
        assertThat(kubeconfig).content().contains("current-context: devcluster");
    }

    @Test
    void continuesAfterItWasKilled() throws Exception {
        Files.writeString(
                folder.resolve("one.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: b}\n");
        try (var program = Kopf4j.startIn(folder, "devcluster", "--data", "kept", "--apply", "one.yaml")) {
            program.awaitOutput(EXPORT, Kopf4j.PATIENCE);
            program.kill();
        }
        try (var cluster = DevCluster.start(Options.defaults().data(folder.resolve("kept")))) {
            var response = cluster.handle(
                    ApiRequest.of("GET", "/api/v1/namespaces/default/configmaps/one", Map.of(), new byte[0]));
            assertThat(response.status()).isEqualTo(200);
            assertThat(cluster.damage()).isEmpty();
        }
    }
}
