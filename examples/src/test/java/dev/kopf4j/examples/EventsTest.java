package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.object;
import static dev.kopf4j.examples.KopfExamples.patch;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples 04, Kubernetes events, and 08, events of the watch. */
@Tag("L70")
class EventsTest {
    @Test
    @KopfTest(
            run = {"04-k8s-events/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void areForPeople(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(object(client).get());
        assertThat(operator.awaitEvent("Created").getMessage()).isEqualTo("It takes 1m.");
        assertThat(operator.awaitEvent("Unfinished").getType()).isEqualTo("Warning");
        assertThat(operator.awaitEvent("MyReason").getInvolvedObject().getName())
                .isEqualTo("kopf-example-1");
        assertThat(operator.awaitEvent("IllegalStateException").getMessage()).contains("This was tried in vain.");
        patch(client, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
        assertThat(operator.awaitEvent("Updated").getMessage()).contains("a=b");
    }

    @Test
    @KopfTest(
            run = {"08-events/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void ofTheWatchComeAsTheyAreAndLeaveNoTrace(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        operator.awaitIdle();
        object(client).delete();
        operator.awaitCalls("eventFn", 3);
        assertThat(operator)
                .hasLogged("Event received: (listed)")
                .hasLogged("Event received: MODIFIED")
                .hasLogged("Event received: DELETED")
                .hasLogged("Oops!")
                .hasWrittenNothing();
    }
}
