package dev.kopf4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

    @Test
    void countsAndMeasuresCallsAndRequests() {
        metrics.handlerEnded(new HandlerCall(
                "make", HandlerKind.CREATE, "pods", HandlerCall.Outcome.ERROR, 2, Duration.ofMillis(30)));
        metrics.processingBegan("pods", Duration.ofMillis(5));
        metrics.requestEnded("PATCH", 409, Duration.ofMillis(7));
        assertThat(registry.get("kopf4j.handler")
                        .tag("outcome", "error")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
        assertThat(registry.get("kopf4j.handler.retries")
                        .tag("handler", "make")
                        .counter()
                        .count())
                .isEqualTo(1);
        metrics.objectUnreadable("pods");
        assertThat(registry.get("kopf4j.unreadable.objects")
                        .tag("resource", "pods")
                        .counter()
                        .count())
                .isEqualTo(1);
        metrics.handlingPaused("pods", true);
        assertThat(registry.get("kopf4j.object.pauses")
                        .tags("resource", "pods", "transition", "paused")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("kopf4j.event.wait")
                        .tag("resource", "pods")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("kopf4j.api.request")
                        .tags("verb", "PATCH", "code", "409")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void gaugesFollowTheState() {
        OperatorState[] state = {OperatorState.STARTING};
        metrics.observe(() -> state[0]);
        assertThat(registry.get("kopf4j.ready").gauge().value()).isZero();
        state[0] = new OperatorState(
                true,
                List.of(),
                List.of("a peer"),
                List.of(
                        new StreamState("a", true, false, null, Duration.ofSeconds(2), 3),
                        new StreamState("b", true, false, "HTTP 500", Duration.ofSeconds(9), 4)));
        assertThat(registry.get("kopf4j.ready").gauge().value()).isEqualTo(1);
        assertThat(registry.get("kopf4j.paused").gauge().value()).isEqualTo(1);
        assertThat(registry.get("kopf4j.queue").gauge().value()).isEqualTo(7);
        assertThat(registry.get("kopf4j.streams.disturbed").gauge().value()).isEqualTo(1);
        assertThat(registry.get("kopf4j.streams.silence").gauge().value()).isEqualTo(9);
    }
}
