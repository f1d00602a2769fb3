package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.fabric8.Fabric8Integration;
import dev.kopf4j.spi.Integration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators of others are built on: informers, leader election, server-side apply. */
class Fabric8FeaturesOnDevClusterTest {

    private DevCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        cluster = DevCluster.start();
        ConnectionInfo connection =
                ConnectionInfo.builder(cluster.url()).token(cluster.token()).build();
        client = (KubernetesClient) new Fabric8Integration()
                .open(
                        KubernetesClient.class,
                        new Integration.Access(connection, rejected -> rejected, (method, target, answer) -> {}));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private static ConfigMap map(String name, String key, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .addToData(key, value)
                .build();
    }

    @Test
    void informersFollowAlsoOverACompaction() {
        client.resource(map("before", "a", "b")).create();
        try (SharedIndexInformer<ConfigMap> informer =
                client.configMaps().inNamespace("default").inform()) {
            await().atMost(Kopf4j.PATIENCE)
                    .until(() -> informer.getStore().list().size() == 1);
            cluster.compact();
            client.resource(map("after", "a", "b")).create();
            client.configMaps().inNamespace("default").withName("before").delete();
            await().atMost(Kopf4j.PATIENCE)
                    .until(() -> informer.getStore().list().stream()
                            .map(each -> each.getMetadata().getName())
                            .toList()
                            .equals(List.of("after")));
        }
    }

    @Test
    void oneOfTwoLeadsAndTheOtherTakesOver() {
        List<String> leaders = new CopyOnWriteArrayList<>();
        CompletableFuture<?> first = elector("first", leaders).start();
        await().atMost(Kopf4j.PATIENCE).until(() -> leaders.contains("first"));
        CompletableFuture<?> second = elector("second", leaders).start();
        assertThat(leaders).containsExactly("first");
        first.cancel(true);
        await().atMost(Kopf4j.PATIENCE).until(() -> leaders.contains("second"));
        second.cancel(true);
    }

    private LeaderElector elector(String identity, List<String> leaders) {
        return client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName("test")
                        .withLock(new LeaseLock("default", "leader", identity))
                        .withLeaseDuration(Duration.ofSeconds(3))
                        .withRenewDeadline(Duration.ofSeconds(2))
                        .withRetryPeriod(Duration.ofMillis(300))
                        .withReleaseOnCancel(true)
                        .withLeaderCallbacks(new LeaderCallbacks(() -> leaders.add(identity), () -> {}, leader -> {}))
                        .build())
                .build();
    }

    @Test
    void serverSideApplyKnowsItsOwners() {
        PatchContext one = manager("one", false);
        client.resource(map("shared", "a", "1")).patch(one);
        assertThatThrownBy(() -> client.resource(map("shared", "a", "2")).patch(manager("two", false)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("conflict");
        client.resource(map("shared", "a", "2")).patch(manager("two", true));
        client.resource(map("shared", "b", "3")).patch(one);
        assertThat(client.configMaps()
                        .inNamespace("default")
                        .withName("shared")
                        .get()
                        .getData())
                .containsOnly(java.util.Map.entry("a", "2"), java.util.Map.entry("b", "3"));
    }

    private static PatchContext manager(String name, boolean force) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(name)
                .withForce(force)
                .build();
    }
}
