package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What readiness tells of writes that fail: {@link FailingWrites}. */
class FailingWritesTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();
    private int refusal;

    private OperatorHandle start() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean fails = refusal > 0
                        && request.method().equals("PATCH")
                        && request.path().contains("/kopfexamples/x");
                return fails ? FakeApiServer.status(refusal, "Refused", "no rights") : null;
            }
        });
        OperatorHandle operator = SimulatedOperator.start(
                platform,
                server,
                builder -> builder.onCreate("kopfexamples", "create", context -> {
                    calls.add(String.valueOf(context.name()));
                    return "done";
                }));
        platform.runFor(Duration.ofSeconds(1));
        return operator;
    }

    private void end(OperatorHandle operator) {
        operator.stop();
        platform.runFor(Duration.ofMinutes(1));
    }

    @Test
    void aRevokedRightIsToldAfterAMinuteAndUntilAWriteSucceeds() {
        refusal = 403;
        try (ObjectLogCapture log = new ObjectLogCapture();
                OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            platform.runFor(Duration.ofSeconds(50));
            assertThat(operator.state().troubles()).isEmpty();
            platform.runFor(Duration.ofMinutes(2));
            assertThat(operator.state().troubles())
                    .singleElement()
                    .asString()
                    .startsWith("kopfexamples.v1.kopf.dev cannot be written for 1")
                    .contains("no rights");
            assertThat(operator.state().isWell(Duration.ofHours(1))).isFalse();
            assertThat(log.lines(Level.ERROR))
                    .isNotEmpty()
                    .allSatisfy(line ->
                            assertThat(line).contains("K4-020", "no rights").doesNotContain("Exception"));
            refusal = 0;
            platform.runFor(Duration.ofMinutes(15));
            assertThat(operator.state().troubles()).isEmpty();
            assertThat(operator.state().isWell(Duration.ofHours(1))).isTrue();
            assertThat(calls).containsExactly("x");
            end(operator);
        }
    }

    @Test
    void writesOfOtherObjectsOfTheKindShowThatItCanBeWritten() {
        refusal = 500;
        try (OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            platform.runFor(Duration.ofMinutes(3));
            assertThat(operator.state().troubles()).hasSize(1);
            server.create(Scenario.example("y"));
            platform.runFor(Duration.ofSeconds(1));
            assertThat(operator.state().troubles()).isEmpty();
            end(operator);
        }
    }

    @Test
    void whatIsNotWrittenAnyMoreIsForgotten() {
        refusal = 403;
        try (OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            platform.runFor(Duration.ofMinutes(3));
            assertThat(operator.state().troubles()).hasSize(1);
            server.delete("x");
            platform.runFor(Duration.ofMinutes(30));
            assertThat(operator.state().troubles()).isEmpty();
            end(operator);
        }
    }

    @Test
    void anObjectThatTheServerFindsInvalidIsNoTroubleOfTheKind() {
        server.refuse("status");
        try (OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            for (int minute = 0; minute < 10; minute++) {
                platform.runFor(Duration.ofMinutes(1));
                assertThat(operator.state().troubles()).isEmpty();
            }
            end(operator);
        }
    }
}
