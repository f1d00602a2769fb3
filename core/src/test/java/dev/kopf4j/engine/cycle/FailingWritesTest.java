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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What readiness tells of writes that fail: {@link FailingWrites}. */
class FailingWritesTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();
    private int refusal;
    private String reason = "Refused";
    private String message = "no rights";

    private OperatorHandle start() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean fails = refusal > 0
                        && request.method().equals("PATCH")
                        && request.path().contains("/kopfexamples/x");
                return fails ? FakeApiServer.status(refusal, reason, message) : null;
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

    /** Values that an update leaves alone are not validated, but the object as a whole is another one each time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<nil>: Invalid value: \"object\": failed rule: self.spec.size <= 5",
                "<nil>: Forbidden: failed rule: the size stays as it is",
                "[<nil>: Required value: failed rule: there must be a size, spec.x: Invalid value: \"x\": no]",
                "<nil>: Duplicate value: \"object\""
            })
    void aRuleOfTheWholeObjectIsToldWithTheWayOut(String refused) {
        refusal = 422;
        reason = "Invalid";
        message = "KopfExample.kopf.dev \"x\" is invalid: " + refused;
        try (ObjectLogCapture log = new ObjectLogCapture();
                OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            platform.runFor(Duration.ofMinutes(1));
            assertThat(log.lines(Level.ERROR))
                    .filteredOn(line -> line.contains("K4-020"))
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).contains("K4-020", refused, "mend the object (kubectl edit)"));
            end(operator);
        }
    }

    /** The texts are those of Kubernetes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            false | 500 | InternalError | Internal error occurred: failed calling webhook "w.example.com": failed to call webhook: Post "https://w.default.svc:443/?timeout=10s": context deadline exceeded
            false | 403 | Forbidden     | kopfexamples.kopf.dev "x" is forbidden: exceeded quota: q, requested: a=1, used: a=1, limited: a=1
            false | 403 | Forbidden     | kopfexamples.kopf.dev "x" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>
            true  | 403 | Forbidden     | kopfexamples.kopf.dev "x" is forbidden: User "system:serviceaccount:default:operator" cannot patch resource "kopfexamples" in API group "kopf.dev" in the namespace "default"
            false | 500 | InternalError | admission webhook "labels.example.com" denied the request: no such team
            true  | 500 | InternalError | etcdserver: request timed out
            """)
    void whatAdmissionRefusesIsNoTroubleOfTheKind(boolean told, int status, String because, String text) {
        refusal = status;
        reason = because;
        message = text;
        try (OperatorHandle operator = start()) {
            server.create(Scenario.example("x"));
            platform.runFor(Duration.ofMinutes(3));
            assertThat(operator.state().troubles()).hasSize(told ? 1 : 0);
            refusal = 0;
            platform.runFor(Duration.ofMinutes(15));
            assertThat(calls).containsExactly("x");
            end(operator);
        }
    }
}
