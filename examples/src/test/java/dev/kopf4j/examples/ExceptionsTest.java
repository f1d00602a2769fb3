package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.PermanentException;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.RecordedCall;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 03: what exceptions mean. */
@Tag("L70")
@KopfTest(
        run = {"03-exceptions/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class ExceptionsTest {
    @Test
    void eachHandlerIsTriedAsOftenAsItsExceptionSays(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(KopfExamples.object(client).get());
        assertThat(operator).hasCalled("instantFailureWithOnlyAMessage").once().failedWith(PermanentException.class);
        assertThat(operator)
                .hasCalled("eventualSuccessWithAFewMessages")
                .times(4)
                .succeeded();
        assertThat(operator).hasCalled("eventualFailureWithStackTraces").times(3);
        assertThat(operator).hasCalled("instantFailureWithStackTrace").once();
        assertThat(operator).hasLogged("Creation is processed: 1 succeeded; 3 failed.");
        assertThat(pauses(operator.calls("eventualSuccessWithAFewMessages")))
                .allMatch(pause -> pause.compareTo(Duration.ofMillis(900)) > 0);
        assertThat(operator.logs())
                .filteredOn(line -> line.failure().isPresent())
                .as("only what nobody has foreseen comes with a stack trace")
                .allMatch(line -> line.message().contains("StackTrace"));
    }

    private static List<Duration> pauses(List<RecordedCall> calls) {
        List<Instant> begins = calls.stream().map(RecordedCall::began).toList();
        return IntStream.range(1, begins.size())
                .mapToObj(each -> Duration.between(begins.get(each - 1), begins.get(each)))
                .toList();
    }
}
