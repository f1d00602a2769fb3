package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handlers of children and events that go on although they were interrupted, in simulated time. Tests
 * {@link HandlerAttempt}. For handlers of changes, see {@link HandlerRetriesTest}.
 */
class CallsLeftBehindTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("", "configmaps", "ConfigMap", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
    private final ObjectLogCapture log = new ObjectLogCapture();
    private final List<String> calls = new ArrayList<>();
    private final List<Duration> interruptedAfter = new ArrayList<>();
    private Instant begun = Instant.MIN;
    /** How often the filter of the handler was asked. */
    private int asked;

    @BeforeEach
    void parentAndChildAreThere() {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        cluster.put("kopfexamples", "ns", "x", "{'spec':{}}");
        cluster.put("configmaps", "ns", "page", "{'metadata':{'labels':{'parent':'x'}},'data':{'a':'b'}}");
    }

    @AfterEach
    void end() {
        world.end();
        log.close();
    }

    private void pass(int seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void start(String kind, Duration timeout) {
        start(kind, timeout, Duration.ofSeconds(10));
    }

    private void start(String kind, Duration timeout, Duration grace) {
        SimulatedOperator.start(
                world,
                cluster.transport("me", world),
                builder -> with(
                        kind,
                        timeout,
                        builder.clusterwide()
                                .settings(settings -> settings.execution().interruptGrace(grace))));
    }

    private OperatorBuilder with(String kind, Duration timeout, OperatorBuilder builder) {
        return switch (kind) {
            case "child" ->
                builder.onChild(
                        "kopfexamples",
                        "configmaps",
                        "fn",
                        options -> options.parentLabel("parent").timeout(timeout),
                        this::ignoreInterrupts);
            case "reconcile" ->
                builder.onReconcile(
                        "kopfexamples",
                        "fn",
                        options -> options.children("configmaps")
                                .condition("")
                                .timeout(timeout)
                                .when(_ -> asked++ >= 0),
                        this::ignoreInterrupts);
            case "update" ->
                builder.onUpdate(
                        "kopfexamples",
                        "fn",
                        options -> options.timeout(timeout).when(_ -> asked++ >= 0),
                        this::ignoreInterrupts);
            default -> builder.onEvent("kopfexamples", "fn", this::ignoreInterrupts);
        };
    }

    private @Nullable Object ignoreInterrupts(HandlerContext context) {
        calls.add("begun");
        begun = world.now();
        Deadline end = world.after(Duration.ofSeconds(40));
        while (!end.hasPassed(world)) {
            try {
                world.monitor().awaitTrue(() -> false, end);
            } catch (InterruptedException e) {
                calls.add("interrupted");
                interruptedAfter.add(Duration.between(begun, world.now()));
            }
        }
        calls.add("ended");
        return null;
    }

    private void change() {
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'a':'c'}}");
        cluster.patch("configmaps", "ns", "page", "{'data':{'a':'c'}}");
    }

    private void pause() {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'other':{'priority':100,'lifetime':5,'lastseen':'"
                        + world.now().atOffset(ZoneOffset.UTC).toLocalDateTime() + "+00:00'}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"child", "reconcile"})
    void theNextCallWaitsForOneThatIgnoresItsTimeout(String kind) {
        start(kind, Duration.ofSeconds(2));
        pass(15);
        change();
        pass(10);
        assertThat(calls).containsExactly("begun", "interrupted");
        assertThat(log.lines(Level.WARN))
                .anyMatch(line -> line.contains("K4-022")
                        && line.contains("It is not called for this object until it has ended."));
        pass(30);
        assertThat(calls).startsWith("begun", "interrupted", "ended", "begun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"child", "reconcile"})
    void theNextCallWaitsForOneThatIgnoresAPause(String kind) {
        start(kind, Duration.ofHours(1));
        pass(3);
        pause();
        pass(25);
        assertThat(calls)
                .contains("begun", "interrupted")
                .doesNotContain("ended")
                .containsOnlyOnce("begun");
        pass(30);
        assertThat(calls).contains("ended").last().isEqualTo("begun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"child", "reconcile", "update"})
    void withoutAGraceTheNextCallWaitsAllTheSame(String kind) {
        start(kind, Duration.ofSeconds(2), Duration.ZERO);
        pass(3);
        change();
        pass(5);
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'a':'d'}}");
        cluster.patch("configmaps", "ns", "page", "{'data':{'a':'d'}}");
        pass(60);
        assertThat(calls).startsWith("begun", "interrupted", "ended", "begun");
        assertThat(asked).as("it is looked at once in a second").isLessThan(150);
    }

    /** It waits at times that are no whole seconds. */
    @Test
    void aCallThatHasWaitedForAnotherOneHasItsFullTime() {
        start("child", Duration.ofSeconds(1), Duration.ofMillis(1700));
        pass(3);
        change();
        pass(60);
        assertThat(calls).startsWith("begun", "interrupted", "ended", "begun", "interrupted");
        assertThat(interruptedAfter).hasSize(2).allMatch(time -> time.compareTo(Duration.ofMillis(990)) > 0);
    }

    /** Each of them is told, in their order: of none of them it could be told later. */
    @Test
    void eventsWaitForACallThatIgnoresAPause() {
        start("event", Duration.ZERO);
        pass(3);
        pause();
        pass(25);
        change();
        pass(5);
        assertThat(calls).containsOnlyOnce("begun").contains("interrupted").doesNotContain("ended");
        pass(120);
        assertThat(calls)
                .filteredOn(call -> !call.equals("interrupted"))
                .containsExactly("begun", "ended", "begun", "ended", "begun", "ended");
    }

    /** Handlers of other kinds may have the same id. */
    @Test
    void eventsWaitForNoHandlerOfAnotherKind() {
        SimulatedOperator.start(
                world,
                cluster.transport("me", world),
                builder -> builder.clusterwide()
                        .onUpdate(
                                "kopfexamples",
                                "fn",
                                options -> options.timeout(Duration.ofSeconds(2)),
                                this::ignoreInterrupts)
                        .onEvent("kopfexamples", "fn", context -> {
                            calls.add("event "
                                    + context.body().get("spec.a", String.class).orElse(""));
                            return null;
                        }));
        pass(3);
        change();
        pass(15);
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'a':'d'}}");
        pass(5);
        assertThat(calls).contains("begun", "event d").doesNotContain("ended");
    }
}
