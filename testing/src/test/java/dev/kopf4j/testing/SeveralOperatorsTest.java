package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Index;
import dev.kopf4j.Kopf;
import dev.kopf4j.Memo;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnIndex;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two operators of one class in one process, each on a cluster of its own with credentials of its own. */
@Tag("K08")
@Tag("L51")
class SeveralOperatorsTest {
    static class Keeper {
        @OnIndex("configmaps")
        Map<String, String> known(String name) {
            return Map.of(name, name);
        }

        @OnCreate(value = "configmaps", labels = "kept=yes")
        void keep(String name, Memo memo, Index<String, String> known, KubernetesClient client) {
            Secret secret = new SecretBuilder()
                    .addToStringData("owner", memo.require("owner", String.class))
                    .addToStringData("known", String.valueOf(known.keySet()))
                    .build();
            Kopf.adopt(secret, options -> options.strict());
            client.resource(secret).create();
        }
    }

    private static KubernetesClient client(DevCluster cluster) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(cluster.url())
                .withOauthToken(cluster.token())
                .withNamespace("default")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static OperatorHandle start(DevCluster cluster, String owner, int priority) {
        Memo memo = new Memo();
        memo.put("owner", owner);
        return Operator.builder()
                .clusterwide()
                .connection(ConnectionInfo.builder(cluster.url())
                        .token(cluster.token())
                        .build())
                .memo(memo)
                .settings(settings -> settings.peering().priority(priority))
                .handlers(new Keeper())
                .build()
                .start();
    }

    private static Map<String, String> kept(KubernetesClient client, String name) {
        ConfigMap kept = new ConfigMapBuilder(configMap(name))
                .editMetadata()
                .addToLabels("kept", "yes")
                .endMetadata()
                .build();
        client.resource(kept).create();
        Secret secret =
                client.secrets().withName(name).waitUntilCondition(found -> found != null, 20, TimeUnit.SECONDS);
        return Map.of("owner", decoded(secret, "owner"), "known", decoded(secret, "known"));
    }

    private static String decoded(Secret secret, String key) {
        return new String(
                java.util.Base64.getDecoder().decode(secret.getData().get(key)),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void eachHasItsOwnClusterCredentialsMemoIndicesSettingsAndEnd() throws InterruptedException {
        try (DevCluster left = DevCluster.start(Options.defaults());
                DevCluster right = DevCluster.start(Options.defaults());
                KubernetesClient ofLeft = client(left);
                KubernetesClient ofRight = client(right)) {
            OperatorHandle one = start(left, "one", 1);
            try (OperatorHandle two = start(right, "two", 2)) {
                assertThat(one.awaitReady(Duration.ofSeconds(20))).isTrue();
                assertThat(two.awaitReady(Duration.ofSeconds(20))).isTrue();
                assertThat(left.token()).isNotEqualTo(right.token());
                assertThat(kept(ofLeft, "x")).isEqualTo(Map.of("owner", "one", "known", "[x]"));
                assertThat(kept(ofRight, "y")).isEqualTo(Map.of("owner", "two", "known", "[y]"));
                assertThat(List.of(
                                one.settings().peering().priority(),
                                two.settings().peering().priority()))
                        .containsExactly(1L, 2L);
                one.close();
                assertThat(kept(ofRight, "z")).containsEntry("owner", "two");
                assertThat(two.hasEnded()).isFalse();
            }
        }
    }
}
