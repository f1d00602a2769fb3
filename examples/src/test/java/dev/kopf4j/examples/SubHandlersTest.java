package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 07: a sub-handler for each item. */
@Tag("L70")
@KopfTest(
        run = {"07-subhandlers/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class SubHandlersTest {
    @Test
    void eachItemIsHandledOnce(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(KopfExamples.object(client).get());
        assertThat(operator)
                .hasLogged("=== Handling creation for item1. ===")
                .hasLogged("=== Handling creation for item2. ===");
        assertThat(operator).hasCalled("createFn/item1").once().succeeded();
        assertThat(operator).hasCalled("createFn/item2").once().succeeded();
        assertThat(operator).hasCalled("createFn").succeeded();
    }
}
