package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.OnEvent;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster of a test is as its annotation says. */
@Tag("N01")
class ClusterOptionsTest {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: web, image: nginx}]}
            """;

    static class Pods {
        @OnEvent("pods")
        void seen(Body body) {
            System.out.println(body.meta().name() + " is " + body.getString("status.phase", "new"));
        }
    }

    private static int ready(Deployment deployment) {
        Integer ready =
                deployment.getStatus() == null ? null : deployment.getStatus().getReadyReplicas();
        return ready == null ? 0 : ready;
    }

    @Test
    @KopfTest(Pods.class)
    @DevClusterOptions(workloads = "20ms")
    void workloadsBecomeReady(TestCluster cluster, TestedOperator operator, KubernetesClient client) {
        cluster.apply(DEPLOYMENT);
        Deployment deployment = client.apps()
                .deployments()
                .withName("web")
                .waitUntilCondition(found -> ready(found) == 2, 20, TimeUnit.SECONDS);
        assertThat(deployment.getStatus().getAvailableReplicas()).isEqualTo(2);
        operator.awaitIdle();
        assertThat(operator.output()).containsPattern("web-\\S+ is Running");
    }

    @Test
    @KopfTest(value = Pods.class, time = TestTime.VIRTUAL)
    @DevClusterOptions(workloads = "10m")
    void inVirtualTimeTheyDoSoAtThatTime(TestCluster cluster, TestClock clock, KubernetesClient client) {
        cluster.apply(DEPLOYMENT);
        clock.advance(Duration.ofMinutes(9));
        assertThat(ready(client.apps().deployments().withName("web").require())).isZero();
        clock.advance(Duration.ofMinutes(2));
        assertThat(ready(client.apps().deployments().withName("web").require())).isEqualTo(2);
    }

    @Test
    @KopfTest(value = Pods.class, time = TestTime.VIRTUAL)
    void withoutThemNothingRuns(TestCluster cluster, TestClock clock, KubernetesClient client) {
        cluster.apply(DEPLOYMENT);
        clock.advance(Duration.ofHours(1));
        assertThat(client.pods().list().getItems()).isEmpty();
    }
}
