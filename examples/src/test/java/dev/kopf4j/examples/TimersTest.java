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
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 15: timers. */
@Tag("L70")
@KopfTest(
        run = {"15-timers/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class TimersTest {
    @Test
    void areCalledAgainAndAgainAtTheirTimes(TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(4));
        assertThat(operator).hasCalled("every3s").times(2);
        assertThat(operator).hasCalled("once").once();
        assertThat(operator).hasNeverCalled("settled");

        patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        clock.advance(Duration.ofSeconds(4));
        assertThat(operator).hasLogged("Ping from the timer, the field is changed");
        assertThat(operator).hasNeverCalled("settled");
        clock.advance(Duration.ofSeconds(2));
        assertThat(operator).hasCalled("settled").once();
        assertThat(status(client, "settled", "checked")).startsWith("2026-01-01T00:00:");

        clock.advance(Duration.ofMinutes(10));
        assertThat(operator.calls("settled")).hasSize(61);
        assertThat(operator).hasCalled("once").once();
        int calls = operator.calls().size();
        KopfExamples.object(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls()).hasSize(calls);
    }
}
