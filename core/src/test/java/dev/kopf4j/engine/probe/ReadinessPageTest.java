package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.WellKnownResources;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the log says at the end of the start agrees with what {@code /ready} answers. */
class ReadinessPageTest {
    private static StreamState stream(boolean listed, boolean paused, @Nullable String trouble) {
        return new StreamState(WellKnownResources.LEASES, null, listed, paused, trouble, Duration.ZERO, 0);
    }

    private static OperatorState state(StreamState stream) {
        return new OperatorState(true, List.of(), List.of(), List.of(stream));
    }

    @ParameterizedTest
    @CsvSource({
        "true,false,",
        "false,false,",
        "false,true,",
        "false,false,forbidden",
        "true,false,forbidden",
        "true,true,"
    })
    void theMessageAgreesWithThePage(boolean listed, boolean paused, @Nullable String trouble) {
        OperatorState state = state(stream(listed, paused, trouble));
        int status =
                new ReadinessPage(() -> state, Duration.ofMinutes(1)).content().status();

        assertThat(ReadinessPage.obstacles(state).isEmpty()).isEqualTo(status == 200);
    }

    @Test
    void namesWhatIsInTheWay() {
        assertThat(ReadinessPage.notReadyMessage(ReadinessPage.obstacles(state(stream(false, false, "forbidden")))))
                .isEqualTo(
                        "The operator has started, but is not ready, and goes on trying: leases.v1.coordination.k8s.io cluster-wide: forbidden.");
    }
}
