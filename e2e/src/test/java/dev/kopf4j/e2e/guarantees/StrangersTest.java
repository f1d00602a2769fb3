package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.OnReconcile;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An object that somebody else has made is not taken as a child, and stays when the parent goes. */
class StrangersTest {
    static class Keeper {
        @OnReconcile(value = "configmaps", children = "secrets", labels = "kept=yes", condition = "")
        Map<String, Object> children() {
            return Map.of("apiVersion", "v1", "kind", "Secret", "stringData", Map.of("token", "1"));
        }
    }

    private static ConfigMap parent(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kept", "yes")
                .endMetadata()
                .build();
    }

    @Test
    @KopfTest(Keeper.class)
    void anObjectThatSomebodyElseHasMadeIsNeitherChangedNorDeleted(TestedOperator operator, KubernetesClient client) {
        Secret theirs = client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("x")
                        .endMetadata()
                        .addToStringData("theirs", "1")
                        .build())
                .create();
        client.resource(parent("x")).create();
        operator.awaitEvent("ChildExists");
        client.resource(parent("y")).create();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.secrets().withName("y").get() != null);
        // When the garbage collector has taken the child of the one, it has seen the other, too.
        client.configMaps().withName("x").delete();
        client.configMaps().withName("y").delete();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.secrets().withName("y").get() == null);
        assertThat(client.secrets().withName("x").require()).isEqualTo(theirs);
    }
}
