package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.kopf4j.devcluster.launcher.DevClusterExtension;
import dev.kopf4j.devcluster.launcher.DevClusterProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of a program that uses Kubernetes by fabric8's client. */
@ExtendWith(DevClusterExtension.class)
class ClientTest {
    @Test
    void storesAndPatches(DevClusterProcess cluster) {
        Config config = Config.fromKubeconfig(cluster.kubeconfigText());
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            ConfigMap map = new ConfigMapBuilder().withNewMetadata().withName("colors").withNamespace("default").endMetadata()
                    .withData(Map.of("sky", "blue")).build();
            client.resource(map).create();
            client.configMaps().inNamespace("default").withName("colors").edit(found -> new ConfigMapBuilder(found).addToData("grass", "green").build());
            assertEquals(Map.of("sky", "blue", "grass", "green"), client.configMaps().inNamespace("default").withName("colors").get().getData());
        }
    }
}
