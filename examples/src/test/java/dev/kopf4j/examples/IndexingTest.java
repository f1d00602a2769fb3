package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.patch;
import static dev.kopf4j.examples.KopfExamples.status;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 16: indices in handlers, in a timer and in probes; a memo. */
@Tag("L70")
class IndexingTest {
    @Test
    @KopfTest(
            run = {"16-indexing/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void handlersAndTimersKnowThePods(TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(1));
        assertThat(status(client, "running-pods")).isEqualTo("[]");
        assertThat(operator).hasLogged("Pods by labels: {Label[key=app, value=web]=[");

        patch(client, "{\"spec\": {\"node\": \"node-b\"}}");
        operator.awaitIdle();
        assertThat(status(client, "report", "pods")).isEqualTo("[web-2]");
        assertThat(Integer.parseInt(status(client, "report", "events"))).isPositive();

        client.pods()
                .inNamespace("default")
                .withName("web-1")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"phase\": \"Running\"}}");
        clock.advance(Duration.ofSeconds(6));
        assertThat(status(client, "running-pods")).isEqualTo("[default::web-1]");

        client.pods()
                .inNamespace("default")
                .withName("web-1")
                .withGracePeriod(0)
                .delete();
        clock.advance(Duration.ofSeconds(6));
        patch(client, "{\"spec\": {\"node\": \"node-a\"}}");
        operator.awaitIdle();
        assertThat(status(client, "report", "pods")).isEqualTo("[]");
        assertThat(status(client, "running-pods")).isEqualTo("[]");
    }

    @Test
    @KopfTest(
            run = {"16-indexing/Example.java", "--all-namespaces", "--liveness", ProbePage.ANYWHERE},
            timeout = KopfExamples.PATIENCE)
    void probesKnowThem(TestedOperator operator) throws IOException {
        operator.awaitIdle();
        assertThat(ProbePage.of(operator)).isEqualTo("{\"podCount\":2,\"podNames\":[\"web-1\",\"web-2\"]}");
    }
}
