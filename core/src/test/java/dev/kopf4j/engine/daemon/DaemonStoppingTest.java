package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.DaemonScenario;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.DriftingPlatform.Suspension;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The stages in which daemons are stopped, and the deletions that wait for them. Tests {@link DaemonStopping} and
 * {@code CycleDaemons}.
 */
class DaemonStoppingTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E02")
    @Tag("E06")
    @Tag("L21")
    void oneIsAskedThenInterruptedThenLeftBehind() {
        story.start(story.daemon(
                h -> h.cancellationBackoff(Duration.ofSeconds(2)).cancellationTimeout(Duration.ofSeconds(3)),
                context -> {
                    context.stopped().await();
                    story.say("is asked");
                    story.deafFor(Duration.ofMinutes(1));
                    story.say("ends " + context.stopped().reasons());
                    return "too late";
                }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMillis(4900));
        assertThat(story.server.exists("x")).isTrue();
        story.pass(Duration.ofMillis(200));
        assertThat(story.server.exists("x")).isFalse();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "is asked at 1.0",
                        "is interrupted at 3.0",
                        "ends [RESOURCE_DELETED, DAEMON_SIGNALLED, DAEMON_CANCELLED, DAEMON_ABANDONED] at 61.0");
        assertThat(story.warnings())
                .singleElement()
                .asString()
                .contains(
                        "Daemon 'dmn' did not exit in time. Leaving it orphaned.",
                        "5 seconds ago",
                        "RESOURCE_DELETED",
                        "deafFor");
        assertThat(story.lines(Level.DEBUG))
                .contains(
                        "debug: Daemon 'dmn' is signalled to exit gracefully.",
                        "debug: Daemon 'dmn' is signalled to exit by force.");
    }

    @Test
    @Tag("E06")
    void oneIsInterruptedBeforeItIsLeftBehindAlsoIfTheProcessStandsStillMeanwhile() {
        Suspension suspension = new Suspension(story.world);
        SimulatedPlatform machine = story.world.machine("frozen");
        SimulatedOperator.start(
                new DriftingPlatform(machine, 1, Duration.ZERO, suspension),
                story.server,
                story.daemon(
                        h -> h.cancellationBackoff(Duration.ofSeconds(1)).cancellationTimeout(Duration.ofSeconds(2)),
                        context -> {
                            story.deafFor(Duration.ofSeconds(20));
                            return null;
                        }));
        story.rest();
        story.create();
        story.rest();
        story.server.delete("x");
        story.rest();
        suspension.begin(Duration.ofSeconds(10));
        story.pass(Duration.ofMillis(11_900));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 11.5");
        assertThat(story.server.exists("x")).isTrue();
        story.pass(Duration.ofMillis(200));
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E06")
    void oneIsInterruptedBeforeItIsLeftBehindAlsoIfTheFirstLookComesAfterItsTime() {
        story.start(builder -> story.daemon(h -> h.cancellationTimeout(Duration.ofSeconds(1)), context -> {
                    story.world.sleep(Duration.ofDays(1));
                    return null;
                })
                .apply(builder.settings(settings -> settings.background().instantExitTimeout(Duration.ofSeconds(2)))));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.warnings()).isEmpty();
    }

    @Test
    @Tag("E06")
    void oneThatWasLeftBehindIsInterruptedAgainWhenTheOperatorEnds() {
        story.start(story.daemon(h -> h.cancellationTimeout(Duration.ofSeconds(1)), context -> {
            story.deafFor(Duration.ofMinutes(1));
            return null;
        }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.server.exists("x")).isFalse();
        story.stop();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 1.01", "is interrupted at 11.0");
    }

    @Test
    @Tag("E06")
    void oneThatWasLeftBehindHasAMomentForItsEndWhenTheOperatorEnds() {
        story.start(story.daemon(h -> h.cancellationTimeout(Duration.ofSeconds(1)), context -> {
            try {
                story.world.sleep(Duration.ofDays(1));
            } catch (InterruptedException e) {
                story.say("is interrupted");
            }
            try {
                story.world.sleep(Duration.ofDays(1));
            } finally {
                story.world.sleep(Duration.ofMillis(500));
                story.say(story.hasEnded() ? "is too late" : "is in time");
            }
            return null;
        }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        story.stop();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 1.01", "is in time at 11.5");
        assertThat(story.hasEnded()).isTrue();
    }

    @Test
    @Tag("E06")
    @Tag("L21")
    void oneThatEndsOnTheInterruptIsNoError() {
        story.start(story.daemon(h -> h.cancellationTimeout(Duration.ofSeconds(3)), context -> {
            story.world.sleep(Duration.ofDays(1));
            return null;
        }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.warnings()).isEmpty();
    }

    @Test
    @Tag("E06")
    @Tag("L21")
    void withoutATimeoutItIsWaitedForAndNeverInterrupted() {
        story.start(story.daemon(h -> h.cancellationPolling(Duration.ofSeconds(30)), context -> {
            story.deafFor(Duration.ofHours(1));
            story.say("ends");
            return null;
        }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(59));
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.lines(Level.DEBUG))
                .filteredOn(line -> line.contains("is still exiting. The next check is in 30 seconds."))
                .hasSize(118);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends at 3600.5");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.warnings()).isEmpty();
    }

    @Test
    @Tag("E06")
    void theSettingSaysHowOftenItIsReported() {
        story.start(builder -> story.daemon(h -> {}, context -> {
                    story.deafFor(Duration.ofMinutes(10));
                    return null;
                })
                .apply(builder.settings(settings -> settings.background().cancellationPolling(Duration.ofMinutes(2)))));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(9));
        assertThat(story.lines(Level.DEBUG))
                .filteredOn(line -> line.contains("is still exiting"))
                .hasSize(5);
    }

    @Test
    @Tag("E07")
    void whatEndsAtOnceNeedsNoFurtherCycle() {
        story.start(builder -> story.daemon(h -> {}, story.untilStopped())
                .apply(builder)
                .onDelete("kex", "del", story.noting("deleted")));
        story.create();
        story.rest();
        int before = story.server.patches().size();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).contains("ends [RESOURCE_DELETED] at 1.0", "deleted");
        assertThat(story.server.patches())
                .as("one for the finalizer and the progress")
                .hasSize(before + 1);
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E07")
    void theSettingSaysHowLongAtOnceIs() {
        story.start(builder -> story.daemon(h -> {}, context -> {
                    context.stopped().await();
                    story.world.sleep(Duration.ofSeconds(2));
                    return null;
                })
                .apply(builder.settings(settings -> settings.background().instantExitTimeout(Duration.ofSeconds(3))))
                .onDelete("kex", "del", story.noting("deleted")));
        story.create();
        story.rest();
        int before = story.server.patches().size();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.patches())
                .as("one for the finalizer and the progress")
                .hasSize(before + 1);
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E08")
    void deletionHandlersDoNotWaitAndAreNotRepeatedUntilTheDaemonHasEnded() {
        story.start(builder -> story.daemon(h -> {}, context -> {
                    context.stopped().await();
                    story.world.sleep(Duration.ofSeconds(30));
                    story.say("ends");
                    return null;
                })
                .apply(builder)
                .onDelete("kex", "del", context -> {
                    story.say("deletes");
                    return null;
                }));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "status", Map.of("some", "change"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "deletes at 1.01", "ends at 31.0");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.infos())
                .containsOnlyOnce(
                        "info: Deletion is processed: 1 succeeded; 0 failed.", "info: Handler 'del' succeeded.");
    }

    @Test
    @Tag("E08")
    void deletionHandlersThatHaveSucceededAreNotRepeatedByTheNextProcess() {
        UnaryOperator<OperatorBuilder> handlers = builder -> story.daemon(h -> {}, context -> {
                    context.stopped().await();
                    story.deafFor(Duration.ofMinutes(30));
                    return null;
                })
                .apply(builder)
                .onDelete("kex", "del", context -> {
                    story.say("deletes");
                    return null;
                });
        story.start(handlers);
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        story.kill().start(handlers);
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "deletes at 1.01");
        assertThat(story.server.exists("x")).isFalse();
    }
}
