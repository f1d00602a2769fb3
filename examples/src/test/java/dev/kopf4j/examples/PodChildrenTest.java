package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.object;
import static dev.kopf4j.examples.KopfExamples.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 02: an object has a pod. */
@Tag("L70")
@KopfTest(
        run = {"02-children/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class PodChildrenTest {
    private static List<Pod> pods(KubernetesClient client) {
        return client.pods().inNamespace("default").list().getItems();
    }

    @Test
    void thePodComesAndGoesWithItsOwner(TestedOperator operator, KubernetesClient client, TestClock clock) {
        operator.awaitIdle();
        assertThat(pods(client)).hasSize(1);
        Pod pod = pods(client).getFirst();
        assertThat(pod.getMetadata().getName()).startsWith("kopf-example-1-");
        assertThat(pod.getMetadata().getLabels()).containsEntry("somelabel", "somevalue");
        assertThat(pod.getSpec().getContainers().getFirst().getEnv())
                .extracting(variable -> variable.getName() + "=" + variable.getValue())
                .containsExactly("FIELD=value", "DURATION=1m");
        assertThat(status(client, "createFn", "children"))
                .isEqualTo("[" + pod.getMetadata().getUid() + "]");

        object(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(pods(client)).isEmpty();
    }

    @Test
    void anAttemptThatWasCutOffLeavesNoSecondPod(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        KopfExamples.patch(
                client,
                "{\"metadata\": {\"annotations\": {\"kopf.zalando.org/last-handled-configuration\": null}},"
                        + " \"status\": null}");
        operator.awaitCalls("createFn", 2);
        operator.awaitIdle();
        assertThat(pods(client)).hasSize(1);
        assertThat(status(client, "createFn", "children"))
                .contains(pods(client).getFirst().getMetadata().getUid());
    }
}
