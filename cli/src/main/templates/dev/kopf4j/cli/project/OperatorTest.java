package {{package}};

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** Runs the operator in this JVM, on a Kubernetes API server in this JVM. */
@KopfTest({{Kind}}Operator.class)
class {{Kind}}OperatorTest {
    @Test
    void aDeletedConfigMapComesBack(TestCluster cluster, TestedOperator operator, KubernetesClient client) {
        cluster.apply("""
                apiVersion: {{apiGroup}}/v1
                kind: {{Kind}}
                metadata: {name: world}
                spec: {greeting: Hello}
                """);
        operator.awaitIdle();
        assertThat(client.configMaps().withName("world").get().getData()).containsEntry("text", "Hello, world!");

        client.configMaps().withName("world").delete();
        operator.awaitIdle();
        assertThat(client.configMaps().withName("world").get()).isNotNull();
    }
}
