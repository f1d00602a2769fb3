package dev.kopf4j.e2e.endurance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link TrialScene}. */
class TrialSceneTest {
    @TempDir
    private Path folder;

    /** Nobody is there any more who would take the finalizers off. */
    @Test
    void objectsThatAnOperatorHasLeftGoWithTheirDefinition() throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.writeKubeconfig(kubeconfig);
            try (ClusterClient client = ClusterClient.by(kubeconfig)) {
                TrialScene scene = new TrialScene(client);
                scene.setUp();
                for (String namespace : Trials.NAMESPACES) {
                    client.send("POST", Trials.in(namespace), Trials.object("left", 1));
                    client.send(
                            "PATCH",
                            Trials.in(namespace) + "/left",
                            "{\"metadata\":{\"finalizers\":[\"kopf.zalando.org/KopfFinalizerMarker\"]}}");
                }
                scene.tidyUp();
                assertThat(client.send("GET", Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME, null)
                                .status())
                        .isEqualTo(404);
                for (String namespace : Trials.NAMESPACES) {
                    // What is in it goes first, a moment later on a crowded machine.
                    assertThat(scene.namespaceGoes(namespace, Duration.ofMinutes(1)))
                            .isTrue();
                }
            }
        }
    }
}
