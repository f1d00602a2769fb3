package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.StopReason;
import dev.kopf4j.Stopped;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.daemon.RunningDaemon.StopSignal;
import dev.kopf4j.engine.simulation.DaemonScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What threads that a daemon has begun learn of its end. Tests {@link StopSignal} and {@link RunningDaemon}. */
class StopSignalTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    private void helper(String name, Stopped stopped) {
        var _ = story.world.spawn(name, () -> {
            try {
                stopped.await();
                story.say(name + " ends " + stopped.reasons());
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
    }

    @Test
    @Tag("E02")
    void theEndOfADaemonIsASignForItsOwnThreads() {
        story.start(story.daemon(h -> {}, context -> {
            helper("helper", context.stopped());
            story.world.sleep(Duration.ofSeconds(3));
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "helper ends [DONE] at 3.5");
    }

    @Test
    @Tag("E02")
    void threadsOfEarlierAttemptsAreToldToo() {
        story.start(story.daemon(h -> {}, context -> {
            helper("helper " + context.retry(), context.stopped());
            if (context.retry() == 0) {
                throw new TemporaryException("once more", Duration.ofSeconds(10));
            }
            context.stopped().await();
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 1 at 10.5");
        story.server.delete("x");
        story.rest();
        // Whether the daemon has ended by then depends on who of the three wakes up first.
        assertThat(story.calls.stream().skip(2).map(line -> line.replace("DONE, ", "")))
                .containsExactlyInAnyOrder(
                        "helper 0 ends [RESOURCE_DELETED] at 20.5", "helper 1 ends [RESOURCE_DELETED] at 20.5");
    }

    @Test
    @Tag("E02")
    void threadsOfADaemonThatWaitsForItsNextAttemptAreToldToo() {
        story.start(story.daemon(h -> h.labels("!off"), context -> {
            helper("helper", context.stopped());
            throw new TemporaryException("later", Duration.ofHours(1));
        }));
        story.create();
        story.rest();
        story.server.change("x", "metadata.labels", java.util.Map.of("off", ""));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "helper ends [DONE, FILTERS_MISMATCH] at 1.0");
    }

    @Test
    @Tag("E02")
    void eachCallOfATimerHasASignOfItsOwn() {
        List<Stopped> signs = new ArrayList<>();
        Handler handler = context -> {
            assertThat(context.stopped().isSet()).isFalse();
            signs.add(context.stopped());
            return null;
        };
        UnaryOperator<OperatorBuilder> timer =
                builder -> builder.onTimer("kex", "tmr", h -> h.interval(Duration.ofSeconds(1)), handler);
        story.start(timer);
        story.create();
        story.pass(Duration.ofSeconds(2));
        assertThat(signs)
                .hasSizeGreaterThan(1)
                .allSatisfy(sign -> assertThat(sign.reasons()).containsExactly(StopReason.DONE));
    }

    @Test
    @Tag("E02")
    void reasonsAddUpAndAreReadOnly() throws InterruptedException {
        StopSignal signal = new StopSignal(story.world);
        assertThat(signal.reasons()).isEmpty();
        signal.set(java.util.Set.of(StopReason.OPERATOR_PAUSING));
        signal.set(java.util.Set.of(StopReason.DAEMON_SIGNALLED));
        assertThat(signal.reasons()).containsExactly(StopReason.OPERATOR_PAUSING, StopReason.DAEMON_SIGNALLED);
        assertThatThrownBy(() -> signal.reasons().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(signal.await(Duration.ZERO)).isTrue();
    }
}
