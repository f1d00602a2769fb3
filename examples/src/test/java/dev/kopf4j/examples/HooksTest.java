package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.LogLine;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 13: what an operator does as a whole. */
@Tag("L70")
class HooksTest {
    private static long logged(TestedOperator operator, String text) {
        return operator.logs().stream()
                .map(LogLine::message)
                .filter(text::equals)
                .count();
    }

    @Test
    @KopfTest(
            run = {"13-hooks/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void theStartIsRetriedAndCredentialsAreRenewed(TestedOperator operator, KubernetesClient client, TestClock clock) {
        assertThat(operator)
                .hasLogged("It will be there in 3 attempts.")
                .hasLogged("It will be there in 1 attempts.")
                .hasLogged("STARTING at attempt 4");
        assertThat(operator.logs())
                .extracting(LogLine::message)
                .containsSubsequence(
                        "STARTING: settings can be changed now, and later no more",
                        "STARTING at attempt 4: nothing is watched before",
                        "LOGGING IN, for the next 30 seconds",
                        "The operator is ready.");
        assertThat(logged(operator, "LOGGING IN, for the next 30 seconds")).isEqualTo(1);
        clock.advance(Duration.ofHours(1));
        assertThat(logged(operator, "LOGGING IN, for the next 30 seconds"))
                .as("each watch that begins later needs a login")
                .isGreaterThan(3);
    }

    @Test
    @KopfTest(
            run = {"13-hooks/Example.java", "--all-namespaces", "--liveness", ProbePage.ANYWHERE},
            timeout = KopfExamples.PATIENCE)
    void probesTellOfTheTasksAndCleanupEndsThem(TestedOperator operator, KubernetesClient client) throws IOException {
        operator.awaitIdle();
        assertThat(ProbePage.of(operator))
                .isEqualTo("{\"tasksCount\":2,\"servedPods\":{\"default\":[\"web-1\",\"web-2\"]}}");
        operator.close();
        assertThat(operator.exitCode()).isZero();
        assertThat(operator).hasLogged("ENDING: all else has stopped, and 2 tasks have ended");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("web-1", "web-2");
    }
}
