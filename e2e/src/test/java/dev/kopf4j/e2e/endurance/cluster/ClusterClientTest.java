package dev.kopf4j.e2e.endurance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link ClusterClient}. */
class ClusterClientTest {
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            clusters: [{name: local, cluster: {server: "https://127.0.0.1:6443"}}]
            users: [{name: me, user: {username: me, password: mine}}]
            contexts: [{name: local, context: {cluster: local, user: me}}]
            current-context: local
            """;

    @TempDir
    private Path folder;

    @Test
    void theFileMayBeRewrittenWhileItIsInUse() throws IOException {
        Path file = Files.writeString(folder.resolve("kubeconfig"), KUBECONFIG);
        try (ClusterClient client = ClusterClient.by(file)) {
            Files.writeString(file, "");
            assertThat(client.config().refresh().getUsername()).isEqualTo("me");
        }
    }
}
