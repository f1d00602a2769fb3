package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same test runs against a cluster that exists. */
@Tag("L49")
class ExistingClusterTest {
    private static volatile String seenNamespace = "";

    @Disabled("run by the test below")
    @KopfTest(KopfTestTest.Greeter.class)
    static class Inner {
        @Test
        void greets(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            seenNamespace = cluster.namespace();
            cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}");
            var created = client.configMaps().withName("x").get();
            operator.awaitHandled(created);
            operator.awaitEvent("Greeted");
            assertThat(operator.calls("greet"))
                    .singleElement()
                    .satisfies(call -> assertThat(call.object()).isEqualTo(cluster.namespace() + "/x"));
        }
    }

    @Test
    void inANamespaceOfItsOwnWhichIsDeleted(@TempDir Path folder) {
        Path kubeconfig = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.writeKubeconfig(kubeconfig);
            System.setProperty("kopf4j.test.cluster", kubeconfig.toString());
            try {
                assertThat(FailingTests.report(Inner.class)).isEmpty();
            } finally {
                System.clearProperty("kopf4j.test.cluster");
            }
            assertThat(seenNamespace).startsWith("kopf4j-test-");
        }
    }
}
