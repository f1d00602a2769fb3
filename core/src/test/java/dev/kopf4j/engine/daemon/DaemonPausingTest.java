package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Daemons and timers of an operator that is paused because another one has a higher priority. Tests
 * {@link OperatorDaemons}.
 */
class DaemonPausingTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
    private final List<String> calls = new ArrayList<>();

    private OperatorHandle start(UnaryOperator<OperatorBuilder> handlers) {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        SimulatedPlatform machine = world.machine("me");
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> handlers.apply(builder.clusterwide()
                        .settings(settings -> settings.peering().identity("me"))));
        pass(3);
        cluster.put("kopfexamples", "ns", "x", "{'spec':{}}");
        pass(3);
        return operator;
    }

    private void pass(long seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    /** Another operator has the say for so long. */
    private void pauseFor(int seconds) {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'other':{'priority':100,'lifetime':" + seconds + ",'lastseen':'"
                        + world.now().atOffset(java.time.ZoneOffset.UTC).toLocalDateTime() + "+00:00'}}}");
    }

    private Handler untilStopped(Duration rest) {
        return context -> {
            calls.add("starts");
            context.stopped().await();
            calls.add("is asked " + context.stopped().reasons());
            world.sleep(rest);
            calls.add("ends");
            return null;
        };
    }

    @Test
    @Tag("E02")
    @Tag("E09")
    void pausingStopsThemAndResumingStartsThemAgain() {
        OperatorHandle operator =
                start(builder -> builder.onDaemon("kopfexamples", "dmn", untilStopped(Duration.ZERO)));
        pauseFor(60);
        pass(30);
        assertThat(calls).containsExactly("starts", "is asked [OPERATOR_PAUSING]", "ends");
        pass(60);
        assertThat(calls).hasSize(4).last().isEqualTo("starts");
        operator.stop();
        pass(30);
        assertThat(world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("E09")
    @Tag("E16")
    void onesThatOutliveThePauseAreStartedAgainAfterTheirEnd() {
        OperatorHandle operator =
                start(builder -> builder.onDaemon("kopfexamples", "dmn", untilStopped(Duration.ofMinutes(2))));
        pauseFor(30);
        pass(100);
        assertThat(calls).containsExactly("starts", "is asked [OPERATOR_PAUSING]");
        pass(60);
        assertThat(calls).containsExactly("starts", "is asked [OPERATOR_PAUSING]", "ends", "starts");
        operator.stop();
        pass(300);
    }

    /** It is at work when the other operator comes, which makes the steps that follow. */
    @Test
    @Tag("E09")
    void aTimerThatOutlivesTheTimeToEndMakesNoFurtherStep() {
        OperatorHandle operator = start(builder ->
                builder.onTimer("kopfexamples", "tmr", h -> h.interval(Duration.ofHours(1)), context -> {
                    context.steps().run("long", () -> {
                        world.sleep(Duration.ofSeconds(20));
                        calls.add("long");
                    });
                    context.steps().run("mail", () -> calls.add("mail"));
                    return null;
                }));
        pauseFor(60);
        pass(40);
        assertThat(calls).containsExactly("long");
        pass(60);
        assertThat(calls).as("its step is recorded").containsExactly("long", "mail");
        operator.stop();
        pass(30);
    }

    @Test
    @Tag("E09")
    void timersAreNotCalledMeanwhileAndThoseThatHaveEndedForGoodStayEnded() {
        OperatorHandle operator = start(
                builder -> builder.onTimer("kopfexamples", "tmr", h -> h.interval(Duration.ofSeconds(10)), context -> {
                            calls.add("timer");
                            return null;
                        })
                        .onTimer("kopfexamples", "once", context -> {
                            calls.add("once");
                            return null;
                        }));
        assertThat(calls).containsExactlyInAnyOrder("timer", "once");
        pauseFor(60);
        pass(50);
        assertThat(calls).hasSize(2);
        pass(25);
        assertThat(calls).hasSizeBetween(3, 4).filteredOn("once"::equals).hasSize(1);
        operator.stop();
        pass(30);
    }

    /** One has ended long ago, and the end of the other one is written when the pause has begun. */
    @Test
    @Tag("E04")
    @Tag("E09")
    void onesThatHaveEndedForGoodStayEndedThoughAnotherOneEndsInThePause() {
        AtomicBoolean down = new AtomicBoolean();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                boolean fails = down.get()
                        && request.method().equals("PATCH")
                        && request.path().contains("kopfexamples");
                return fails ? TinyCluster.status(503, "ServiceUnavailable", "down") : null;
            }
        });
        OperatorHandle operator = start(builder -> builder.settings(
                        settings -> settings.queueing().exitTimeout(Duration.ofMinutes(1)))
                .onDaemon("kopfexamples", "once", context -> {
                    calls.add("once");
                    return null;
                })
                .onDaemon("kopfexamples", "late", context -> {
                    calls.add("late");
                    context.stopped().await(Duration.ofSeconds(20));
                    down.set(true);
                    return "done";
                }));
        pass(30);
        assertThat(calls).containsExactlyInAnyOrder("once", "late");
        pauseFor(60);
        pass(3);
        down.set(false);
        pass(180);
        assertThat(cluster.get("kopfexamples", "ns", "x").at("/status/late").asString())
                .isEqualTo("done");
        assertThat(calls).containsExactlyInAnyOrder("once", "late");
        operator.stop();
        pass(30);
    }
}
