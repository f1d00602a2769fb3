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

/** The example 14: daemons. */
@Tag("L70")
class DaemonsTest {
    private static final String WITHOUT_ANNOTATION = "{\"metadata\": {\"annotations\": {\"someannotation\": null}}}";

    /** Not with the stubborn daemon, which sleeps in real time. */
    @Test
    @KopfTest(
            run = {"14-daemons/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL,
            start = false)
    void accompanyTheObjectAndTellTheirProgress(TestedOperator operator, KubernetesClient client, TestClock clock) {
        patch(client, WITHOUT_ANNOTATION);
        operator.restart();
        clock.advance(Duration.ofMillis(1_500));
        assertThat(status(client, "message")).isEqualTo("Failed 2 times.");
        clock.advance(Duration.ofSeconds(4));
        assertThat(operator).hasLogged("=> the field is value");
        patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        clock.advance(Duration.ofSeconds(5));
        assertThat(operator).hasLogged("=> the field is changed");
        assertThat(status(client, "message")).isEqualTo("Failed 3 times.");
        clock.advance(Duration.ofSeconds(30));
        assertThat(status(client, "message")).isEqualTo("Accompanying is finished.");
        assertThat(operator).hasCalled("accompany").times(4).succeeded();
        assertThat(operator).hasNeverCalled("stubborn");

        object(client).delete();
        clock.advance(Duration.ofSeconds(5));
        assertThat(operator).hasLogged("=> stopped, because of [RESOURCE_DELETED");
        assertThat(object(client).get()).isNull();
    }

    @Test
    @KopfTest(
            run = {"14-daemons/Example.java", "--all-namespaces"},
            timeout = KopfExamples.PATIENCE)
    void theStubbornOneIsInterruptedWhenTheAnnotationGoes(TestedOperator operator, KubernetesClient client) {
        operator.awaitCalls("accompany", 1); // they begin together
        operator.awaitIdle();
        assertThat(operator).hasCalled("stubborn").once();
        patch(client, WITHOUT_ANNOTATION);
        operator.awaitCalls("stubborn", 1);
        assertThat(operator).hasLogged("=> interrupted, leaving");
        assertThat(object(client).get().getMetadata().getDeletionTimestamp()).isNull();
    }
}
