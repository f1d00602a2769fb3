package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A child that the server refuses holds up neither the handlers of its parent nor the other children. */
class FailingChildrenTest {
    static class Keeper {
        @OnCreate(value = "configmaps", labels = "kept=yes")
        void created() {}

        @OnUpdate(value = "configmaps", labels = "kept=yes")
        void updated() {}

        @OnDelete(value = "configmaps", labels = "kept=yes")
        void deleted() {}

        @OnReconcile(value = "configmaps", children = "secrets", labels = "kept=yes", condition = "")
        List<Map<String, Object>> children() {
            return List.of(
                    Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "No_Name")),
                    Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "other")));
        }
    }

    @Test
    @KopfTest(Keeper.class)
    void theParentIsHandledAllTheSame(TestedOperator operator, KubernetesClient client) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("x")
                        .addToLabels("kept", "yes")
                        .endMetadata()
                        .build())
                .create();
        operator.awaitEvent("ChildRefused");
        awaitRecorded(client, "");
        assertThat(operator.calls("created")).hasSize(1);
        client.configMaps()
                .withName("x")
                .edit(map -> map.edit().addToData("changed", "yes").build());
        awaitRecorded(client, "changed");
        assertThat(operator.calls("updated")).hasSize(1);
        client.configMaps().withName("x").delete();
        assertThat(operator.awaitCalls("deleted", 1)).hasSize(1);
    }

    /** What the handlers have achieved stands on the object. */
    private static void awaitRecorded(KubernetesClient client, String data) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.configMaps()
                        .withName("x")
                        .require()
                        .getMetadata()
                        .getAnnotations()
                        .getOrDefault("kopf.zalando.org/last-handled-configuration", "-")
                        .contains(data.isEmpty() ? "kept" : data));
    }
}
