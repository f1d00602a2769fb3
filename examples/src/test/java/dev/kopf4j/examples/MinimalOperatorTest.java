package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 01: one method. */
@Tag("L70")
@KopfTest(
        run = {"01-minimal/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class MinimalOperatorTest {
    @Test
    void isCalledOnceForEachObjectAlsoAfterARestart(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(KopfExamples.object(client).get());
        operator.restart();
        operator.awaitIdle();
        assertThat(operator.calls("createFn")).hasSize(1);
        assertThat(KopfExamples.status(client, "createFn", "message")).isEqualTo("Hello, kopf-example-1!");
    }
}
