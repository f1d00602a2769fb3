package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.OnDelete;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** In a namespace that is being deleted nothing is made anew, so that the operator does not hold it up. */
class DeletedNamespaceTest {
    static class Keeper {
        @OnDelete(value = "configmaps", labels = "kept=yes")
        void deleted() {}

        @OnReconcile(value = "configmaps", children = "secrets", labels = "kept=yes", condition = "")
        Map<String, Object> children() {
            return Map.of("apiVersion", "v1", "kind", "Secret", "stringData", Map.of("token", "1"));
        }
    }

    @Test
    @KopfTest(Keeper.class)
    @EnabledIfSystemProperty(
            named = "kopf4j.test.cluster",
            matches = ".+",
            disabledReason = "tests of the dev cluster run in 'default', which stays; there it is shown by"
                    + " dev.kopf4j.e2e.children.FailingChildrenTest")
    void theNamespaceGoesAtOnce(TestedOperator operator, TestCluster cluster, KubernetesClient client) {
        for (int i = 0; i < 10; i++) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("x" + i)
                            .addToLabels("kept", "yes")
                            .endMetadata()
                            .build())
                    .create();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.secrets().withName("x9").get() != null);
        operator.awaitIdle();
        client.namespaces().withName(cluster.namespace()).delete();
        await().atMost(Duration.ofSeconds(45))
                .until(() -> client.namespaces().withName(cluster.namespace()).get() == null);
        assertThat(operator.calls("deleted")).hasSize(10);
        assertThat(operator.output()).doesNotContain("A role needs the rule");
    }
}
