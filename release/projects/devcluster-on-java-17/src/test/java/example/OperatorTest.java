package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.kopf4j.devcluster.launcher.DevClusterExtension;
import dev.kopf4j.devcluster.launcher.LaunchOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of an operator of the Java Operator SDK. */
class OperatorTest {
    @RegisterExtension
    static final DevClusterExtension CLUSTER = new DevClusterExtension(LaunchOptions.defaults().arguments("--workloads"));

    /** Marks what it has seen. */
    @ControllerConfiguration
    static final class Marker implements Reconciler<ConfigMap> {
        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            if (!map.getMetadata().getName().startsWith("marked") || "yes".equals(map.getData().get("seen"))) {
                return UpdateControl.noUpdate();
            }
            map.getData().put("seen", "yes");
            return UpdateControl.patchResource(map);
        }
    }

    @Test
    void marksWhatItHasSeen() {
        Config config = Config.fromKubeconfig(CLUSTER.cluster().kubeconfigText());
        KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        Operator operator = new Operator(overrider -> overrider.withKubernetesClient(client).withUseSSAToPatchPrimaryResource(false));
        operator.register(new Marker());
        operator.start();
        try {
            client.resource(new ConfigMapBuilder().withNewMetadata().withName("marked").withNamespace("default").endMetadata()
                    .withData(Map.of("a", "b")).build()).create();
            ConfigMap seen = client.configMaps().inNamespace("default").withName("marked")
                    .waitUntilCondition(map -> map != null && "yes".equals(map.getData().get("seen")), 20, TimeUnit.SECONDS);
            assertEquals("b", seen.getData().get("a"));
        } finally {
            operator.stop();
        }
    }
}
