package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 10: handlers of pods. */
@Tag("L70")
@KopfTest(
        run = {"10-builtins/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class BuiltinsTest {
    private static Pod expr1(KubernetesClient client) {
        return client.pods().inNamespace("default").withName("expr1").get();
    }

    @Test
    void podsLiveFor30SecondsButForThoseOfTheSystem(TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(29));
        assertThat(operator).hasCalled("podInSight").once().on("default/expr1");
        assertThat(operator).hasLogged("=== Pod killing happens in 30s.");
        assertThat(expr1(client).getMetadata().getDeletionTimestamp()).isNull();

        clock.advance(Duration.ofSeconds(2));
        assertThat(operator).hasLogged("=== Pod killing happens NOW!");
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator).hasCalled("podDeleted").once();
        assertThat(expr1(client)).isNull();
        assertThat(client.pods().inNamespace("kube-system").withName("spared").get())
                .isNotNull();
    }

    @Test
    void killingIsCancelledIfSomebodyElseDeletesThePod(
            TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(10));
        client.pods().inNamespace("default").withName("expr1").delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator).hasLogged("=== Pod killing is cancelled!");
        assertThat(operator.output()).doesNotContain("NOW");
        assertThat(expr1(client)).isNull();
    }

    @Test
    void theTimeBeginsAnewWithTheOperator(TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(20));
        operator.restart();
        clock.advance(Duration.ofSeconds(20));
        assertThat(operator).hasCalled("podInSight").times(2);
        assertThat(expr1(client).getMetadata().getDeletionTimestamp()).isNull();
        clock.advance(Duration.ofSeconds(11));
        assertThat(operator).hasLogged("=== Pod killing happens NOW!");
    }
}
