package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.ObjectReference;
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
    private final NotedObjects noted =
            new NotedObjects(new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z")));

    /** As exceptions of users may be. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not initialized");
        }
    }

    private static HandlerContext context(String kindOfChild) {
        return (HandlerContext) Proxy.newProxyInstance(
                HandlerContext.class.getClassLoader(),
                new Class<?>[] {HandlerContext.class},
                (_, method, _) -> switch (method.getName()) {
                    case "uid" -> "uid-a";
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
        ObjectReference object = new ObjectReference("v1", "Lease", "x", "uid-a", "ns");
        noted.happened(new OperatorStep.CycleDecided(
                WellKnownResources.LEASES,
                object,
                null,
                new JsonDiff(List.of()),
                OperatorStep.Decision.PAUSED,
                List.of()));
        assertThat(noted.isPaused("uid-a")).isTrue();
        noted.happened(new OperatorStep.HandlingPaused(WellKnownResources.LEASES, object, false));
        assertThat(noted.isPaused("uid-a")).isFalse();
    }

    /** What a trace throws would keep the end of the call from being recorded. */
    @Test
    void aMessageThatCannotBeReadIsNoFailureOfTheTrace() {
        assertThat(noted(new Unspeakable()))
                .isEqualTo("Unspeakable: (its message cannot be read: java.lang.IllegalStateException)");
    }
}
