package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.object;
import static dev.kopf4j.examples.KopfExamples.patch;
import static dev.kopf4j.examples.KopfExamples.status;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 99: many features at once do not disturb each other. */
@Tag("L70")
@KopfTest(
        run = {"99-all-at-once/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class AllAtOnceTest {
    @Test
    void anObjectLivesThroughAllOfThem(TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(3));
        assertThat(operator)
                .hasLogged("Started at attempt 4.")
                .hasLogged("Creation is processed: 5 succeeded; 0 failed.");
        assertThat(operator).hasCalled("create2").times(2).succeeded();
        assertThat(operator).hasCalled("createItems/item2").once().succeeded();
        assertThat(operator).hasPosted("AnyReason").hasPosted("SomeReason");
        assertThat(operator).hasCalled("podChanged").on("kopf-example-1-pod");
        assertThat(status(client, "create1", "job1-status")).isEqualTo("100");
        assertThat(status(client, "create2", "job2-status")).isEqualTo("100");

        patch(client, "{\"spec\": {\"items\": [\"a\"]}}");
        clock.advance(Duration.ofSeconds(10));
        assertThat(operator).hasCalled("update").once();
        assertThat(operator).hasLogged("Handling the field [item1, item2] -> [a].");
        assertThat(status(client, "pods")).isEqualTo("[kopf-example-1-pod]");

        operator.restart();
        clock.advance(Duration.ofSeconds(3));
        assertThat(operator).hasCalled("resume").once();
        object(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator).hasCalled("delete").once().succeeded();
        assertThat(object(client).get()).isNull();
        assertThat(client.pods().inNamespace("default").list().getItems()).isEmpty();

        operator.close();
        assertThat(operator).hasLogged("Cleaning up.");
        assertThat(operator.exitCode()).isZero();
    }
}
