package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.fabric8.Fabric8Integration;
import dev.kopf4j.spi.Integration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client as handlers get it, against the embedded cluster over HTTP. */
class Fabric8OnDevClusterTest {

    private DevCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        cluster = DevCluster.start(Options.defaults().growingClaims(true));
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

    @Test
    void createsEditsAndDeletes() {
        PersistentVolumeClaim template = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("claim")
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1G"))
                .endResources()
                .endSpec()
                .build();
        PersistentVolumeClaim created = client.resource(template).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        Resource<PersistentVolumeClaim> claim = client.persistentVolumeClaims().withName("claim");
        claim.edit(it -> new PersistentVolumeClaimBuilder(it)
                .editMetadata()
                .addToLabels("a", "b")
                .endMetadata()
                .editSpec()
                .editResources()
                .addToRequests("storage", new Quantity("2G"))
                .endResources()
                .endSpec()
                .build());
        assertThat(claim.get().getSpec().getResources().getRequests().get("storage"))
                .isEqualTo(new Quantity("2G"));
        assertThat(claim.get().getMetadata().getLabels()).containsEntry("a", "b");
        claim.delete();
        await().atMost(Kopf4j.PATIENCE).until(() -> claim.get() == null);
    }

    @Test
    void childrenAreDeletedWithTheirOwner() {
        ConfigMap owner = client.resource(configMap("owner")).create();
        ConfigMap child = configMap("child");
        Kopf.adopt(child, owner);
        client.resource(child).create();
        client.resource(owner).delete();
        await().atMost(Kopf4j.PATIENCE)
                .until(() -> client.configMaps().withName("child").get() == null);
    }

    @Test
    void watches() {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (Watch _ = client.configMaps().watch(new Watcher<ConfigMap>() {
            @Override
            public void eventReceived(Action action, ConfigMap object) {
                seen.add(action + " " + object.getMetadata().getName());
            }

            @Override
            public void onClose(WatcherException cause) {
                seen.add("closed: " + cause);
            }
        })) {
            client.resource(configMap("a")).create();
            client.resource(configMap("a")).delete();
            await().atMost(Kopf4j.PATIENCE).until(() -> seen.size() >= 2);
            assertThat(seen).containsExactly("ADDED a", "DELETED a");
        }
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }
}
