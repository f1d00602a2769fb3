import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** Each test has a cluster of its own, and the operator runs in it: nothing is mocked, nothing has to be installed. */
@KopfTest(value = Example.class, apply = "09-testing/crd.yaml")
class ExampleTest {
    private static final String OBJECT = """
            apiVersion: kopf.dev/v1
            kind: KopfExample
            metadata: {name: kopf-example-1}
            """;

    @Test
    void handlesAnObjectFromItsCreationToItsDeletion(
            TestedOperator operator, TestCluster cluster, KubernetesClient client) {
        cluster.apply(OBJECT);
        var object = (GenericKubernetesResource) client.resource(OBJECT).get();
        operator.awaitHandled(object);
        assertThat(operator).hasCalled("createFn").on("kopf-example-1").once().succeeded();

        client.resource(object).delete();
        operator.awaitHandled(object);
        assertThat(client.resource(object).get()).isNull();

        operator.close();
        assertThat(operator.exitCode()).isZero();
        assertThat(operator.exception()).isEmpty();
        assertThat(operator.output()).contains("Creation is in progress", "Something was logged here.");
    }
}
