package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnReconcile;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waits count what operators have to do for children, though these have no handlers of their own. */
@Tag("N01")
class ChildrenTest {
    static class Keeper {
        @OnReconcile(value = "configmaps", children = "secrets", labels = "kept=yes", condition = "")
        Map<String, Object> children() {
            return Map.of("apiVersion", "v1", "kind", "Secret", "stringData", Map.of("token", "1"));
        }

        @OnChild(parent = "configmaps", value = "services")
        void seen(Body child) {}
    }

    private static Secret token(KubernetesClient client) {
        return client.secrets().withName("x").require();
    }

    private static void repairs(TestedOperator operator, KubernetesClient client) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("of-nobody")
                        .endMetadata()
                        .build())
                .create();
        client.resource(configMap("x")
                        .edit()
                        .editMetadata()
                        .addToLabels("kept", "yes")
                        .endMetadata()
                        .build())
                .create();
        operator.awaitIdle();
        for (int repairs = 0; repairs < 8; repairs++) { // more often, and the operator waits before the next one
            String uid = token(client).getMetadata().getUid();
            client.secrets().withName("x").delete();
            operator.awaitIdle();
            assertThat(token(client).getMetadata().getUid()).isNotEqualTo(uid);
        }
    }

    @Test
    @KopfTest(Keeper.class)
    void theOperatorIsIdleWhenChildrenAreAsTheyOughtToBe(TestedOperator operator, KubernetesClient client) {
        repairs(operator, client);
    }

    @Test
    @KopfTest(value = Keeper.class, time = TestTime.VIRTUAL)
    void soItIsInVirtualTime(TestedOperator operator, KubernetesClient client) {
        repairs(operator, client);
    }

    @Test
    @KopfTest(value = Keeper.class, time = TestTime.VIRTUAL)
    void childrenThatVanishUnseenAreNotWaitedFor(
            TestedOperator operator, TestCluster cluster, KubernetesClient client) {
        client.resource(configMap("x")
                        .edit()
                        .editMetadata()
                        .addToLabels("kept", "yes")
                        .endMetadata()
                        .build())
                .create();
        operator.awaitIdle();
        operator.kill();
        client.secrets().withName("x").delete();
        cluster.compact();
        operator.restart();
        operator.awaitIdle();
        assertThat(token(client).getData()).containsOnlyKeys("token");
    }
}
