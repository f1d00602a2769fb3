package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NotedObjectsTest {
    private static final ObjectReference OBJECT = new ObjectReference("v1", "Lease", "x", "uid-a", "ns");

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final NotedObjects noted = new NotedObjects(platform);

    /** As exceptions of users may be. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not initialized");
        }
    }

    private static HandlerContext context(String kindOfChild) {
        return context(kindOfChild, "uid-a");
    }

    static HandlerContext context(String kindOfChild, String uid) {
        return (HandlerContext) Proxy.newProxyInstance(
                HandlerContext.class.getClassLoader(),
                new Class<?>[] {HandlerContext.class},
                (_, method, _) -> switch (method.getName()) {
                    case "uid" -> uid;
                    case "handlerId" -> "create";
                    case "retry" -> 0;
                    case "resource" -> WellKnownResources.LEASES;
                    case "child" -> Body.of(Map.of("apiVersion", "v1", "kind", kindOfChild));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private String noted(Throwable failure) {
        return noted(HandlerKind.CREATE, "", failure);
    }

    private String noted(HandlerKind kind, String kindOfChild, Throwable failure) {
        noted.happened(new OperatorStep.CallEnded(
                kind, context(kindOfChild), HandlerCall.Outcome.PERMANENT, Duration.ZERO, null, failure));
        return Objects.requireNonNull(noted.troubles("uid-a").get("create")).message();
    }

    @Test
    void notesFailuresByTheirNamesAndMessages() {
        assertThat(noted(new IllegalStateException("no disk"))).isEqualTo("IllegalStateException: no disk");
        assertThat(noted(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    @Tag("Q21")
    void ofWhatAHandlerSaysOfASecretNoMessageIsNoted() {
        IllegalStateException failure = new IllegalStateException("no disk");
        assertThat(noted(HandlerKind.CHILD, "Secret", failure)).isEmpty();
        assertThat(noted(HandlerKind.CHILD, "Pod", failure)).isEqualTo("IllegalStateException: no disk");
    }

    @Test
    void anObjectThatIsFoundPausedAfterAStartIsPaused() {
        noted.happened(new OperatorStep.CycleDecided(
                WellKnownResources.LEASES,
                OBJECT,
                null,
                new JsonDiff(List.of()),
                OperatorStep.Decision.PAUSED,
                List.of()));
        assertThat(noted.isPaused("uid-a")).isTrue();
        noted.happened(new OperatorStep.HandlingPaused(WellKnownResources.LEASES, OBJECT, false));
        assertThat(noted.isPaused("uid-a")).isFalse();
    }

    private void cycleEnded(boolean gone) {
        noted.happened(new OperatorStep.CycleEnded(WellKnownResources.LEASES, OBJECT, Deadline.NEVER, gone));
    }

    /** The handlers of the last event, and calls that were under way. */
    @Test
    void whatFailsAfterTheDeletionHasComeIsForgottenWithIt() {
        noted(new IllegalStateException("no disk"));
        cycleEnded(false);
        assertThat(noted.troubles("uid-a")).isNotEmpty();
        noted.happened(
                new OperatorStep.EventCame(WellKnownResources.LEASES, OBJECT, WatchEventType.DELETED, "2", true));
        assertThat(noted.troubles("uid-a")).isEmpty();
        noted(HandlerKind.EVENT, "", new IllegalStateException("no disk"));
        cycleEnded(true);
        assertThat(noted.troubles("uid-a")).isEmpty();
    }

    @Test
    void anOperatorTellsTheEndOfTheCycleOfADeletion() {
        FakeApiServer server = new FakeApiServer(platform, false);
        OperatorPlan plan = OperatorPlan.of(Operator.builder().clusterwide().onEvent("kopfexamples", "see", _ -> {
            throw new IllegalStateException("no disk");
        }));
        OperatorHandle operator = OperatorAssembly.assemble(
                        plan,
                        new OperatorEnvironment(platform, new FakeClusterAccess(server.transport(platform)), noted))
                .start();
        server.create(Scenario.example());
        platform.runFor(Duration.ofSeconds(5));
        assertThat(noted.troubles("uid-x")).containsOnlyKeys("see");
        server.delete("x");
        platform.runFor(Duration.ofSeconds(5));
        assertThat(noted.troubles("uid-x")).isEmpty();
        operator.stop();
        platform.runFor(Duration.ofSeconds(5));
    }

    @Test
    void theOldestTroublesGiveWayToNewOnes() {
        for (int i = 0; i <= 5000; i++) {
            platform.runFor(Duration.ofMillis(1));
            assertThat(noted.isIncomplete()).isFalse();
            noted.happened(new OperatorStep.CallEnded(
                    HandlerKind.CREATE,
                    context("", "uid-" + i),
                    HandlerCall.Outcome.TEMPORARY,
                    Duration.ZERO,
                    null,
                    null));
        }
        assertThat(noted.isIncomplete()).isTrue();
        assertThat(noted.troubles("uid-499")).isEmpty();
        assertThat(noted.troubles("uid-500")).isNotEmpty();
        assertThat(noted.troubles("uid-5000")).isNotEmpty();
    }

    /** What a trace throws would keep the end of the call from being recorded. */
    @Test
    void aMessageThatCannotBeReadIsNoFailureOfTheTrace() {
        assertThat(noted(new Unspeakable()))
                .isEqualTo("Unspeakable: (its message cannot be read: java.lang.IllegalStateException)");
    }
}
