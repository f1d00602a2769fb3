package dev.kopf4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningDevClusterTest {
    @TempDir
    private Path folder;

    @Test
    void theKubeconfigIsThereWhenTheClusterIsReadyAndNotBefore() throws IOException {
        Path kubeconfig = folder.resolve("config");
        List<Boolean> before = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            try (var _ = RunningDevCluster.start(
                    Options.defaults(), kubeconfig, starting -> before.add(Files.exists(kubeconfig)))) {
                assertThat(Files.readString(kubeconfig)).contains("current-context: devcluster");
            }
            assertThat(kubeconfig).as("is left at the end").exists();
        }
        assertThat(before).containsExactly(false, false);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(kubeconfig);
        }
    }

    /** A start on a full disk left one, or `mktemp` has made it. */
    @Test
    void anEmptyKubeconfigIsNobodys() throws IOException {
        Path kubeconfig = Files.createFile(folder.resolve("config"));
        try (var _ = RunningDevCluster.start(Options.defaults(), kubeconfig, _ -> {})) {
            assertThat(Files.readString(kubeconfig)).contains("current-context: devcluster");
        }
    }
}
