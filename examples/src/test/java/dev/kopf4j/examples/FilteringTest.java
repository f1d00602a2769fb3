package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.RecordedCall;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 11: all filters. */
@Tag("L70")
@KopfTest(
        run = {"11-filtering-handlers/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class FilteringTest {
    @Test
    void onlyHandlersWhoseFiltersMatchAreCalled(TestedOperator operator, TestClock clock) {
        clock.advance(Duration.ofSeconds(3));
        assertThat(operator.calls())
                .extracting(RecordedCall::handler)
                .containsExactlyInAnyOrder(
                        "createWithLabelsMatching",
                        "createWithLabelsPresent",
                        "createWithLabelsAbsent",
                        "createWithLabelsCallbackMatching",
                        "createWithAnnotationsMatching",
                        "createWithAnnotationsPresent",
                        "createWithAnnotationsAbsent",
                        "createWithFilterSatisfied",
                        "createWithFieldValueSatisfied/spec.field",
                        "createWithFieldPresenceSatisfied/spec.field",
                        "daemonWithField/spec.field");
        assertThat(operator.output()).doesNotContain("which it is not");
    }

    @Test
    void aChangeOfTheFieldIsTakenByItsValuesAndEndsTheDaemon(
            TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(3));
        KopfExamples.patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        clock.advance(Duration.ofSeconds(3));
        assertThat(operator)
                .hasLogged("Field change is satisfied.")
                .hasLogged("Field daemon is stopped: [FILTERS_MISMATCH");
        KopfExamples.patch(client, "{\"spec\": {\"field\": \"other\"}}");
        clock.advance(Duration.ofSeconds(3));
        assertThat(operator)
                .hasCalled("updateWithFieldChangeSatisfied/spec.field")
                .once();
    }

    @Test
    void anObjectThatNoHandlerIsForIsLeftAlone(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
        operator.awaitIdle();
        int calls = operator.calls().size();
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: other, labels: {nonexistent: is-there}, annotations: {nonexistent: is-there}}
                spec: {}
                """);
        operator.awaitIdle();
        assertThat(operator.calls()).hasSize(calls);
        assertThat(KopfExamples.object(client, "other").get().getMetadata().getFinalizers())
                .isEmpty();
    }
}
