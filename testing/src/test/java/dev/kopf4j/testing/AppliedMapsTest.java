package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applies a map, whose kind is known at run time only, in the way of the documentation. */
@Tag("K15")
@KopfTest(value = AppliedMapsTest.Maps.class, time = TestTime.VIRTUAL)
class AppliedMapsTest {
    static class Maps {
        @OnCreate("configmaps")
        void createFn(KubernetesClient client) {
            Map<String, Object> map = new HashMap<>(Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Secret",
                    "metadata",
                    new HashMap<>(Map.of("name", "settings")),
                    "stringData",
                    Map.of("size", "3")));
            Kopf.adopt(map);
            client.resource(client.getKubernetesSerialization().convertValue(map, GenericKubernetesResource.class))
                    .serverSideApply();
        }
    }

    @Test
    void aMapBecomesAnObjectOfTheClient(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(KopfTestTest.configMap("x")).create());
        Secret applied = client.secrets().withName("settings").get();
        assertThat(applied.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getName)
                .containsExactly("x");
        assertThat(applied.getData()).containsEntry("size", "Mw==");
    }
}
