package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Handler;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When timers are called, exactly, in virtual time; the objects appear at 0.5 seconds. Tests {@link RunningDaemon} and
 * {@link TimerSchedule}.
 */
class TimerTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private UnaryOperator<OperatorBuilder> timer(Consumer<OnTimer.Options> options, Handler handler) {
        return builder -> builder.onTimer("kex", "tmr", options, context -> {
            story.calls.add(context.retry() + " at " + story.seconds());
            return handler.handle(context);
        });
    }

    private Handler taking(Duration time) {
        return context -> {
            story.world.sleep(time);
            return null;
        };
    }

    private void create() {
        story.server.create(Scenario.example());
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    @Test
    @Tag("E11")
    void intervalsAreMeasuredFromTheEndOfACall() {
        story.start(timer(h -> h.interval(seconds(1)), taking(seconds(0.3))));
        create();
        story.pass(seconds(4.5));
        assertThat(story.calls).containsExactly("0 at 0.5", "0 at 1.8", "0 at 3.1", "0 at 4.4");
    }

    @Test
    @Tag("E12")
    @Tag("L25")
    void sharpIntervalsAreMeasuredFromTheStartOfACall() {
        story.start(timer(h -> h.interval(seconds(1)).sharp(), taking(seconds(0.3))));
        create();
        story.pass(seconds(3.9));
        assertThat(story.calls).containsExactly("0 at 0.5", "0 at 1.5", "0 at 2.5", "0 at 3.5");
    }

    @Test
    @Tag("E12")
    @Tag("L25")
    void slowSharpTimersLeaveOutWhatTheyMissAndNeverOverlapThemselves() {
        story.start(timer(h -> h.interval(seconds(1)).sharp(), taking(seconds(2.4))));
        create();
        story.pass(seconds(9.2));
        assertThat(story.calls).containsExactly("0 at 0.5", "0 at 3.5", "0 at 6.5", "0 at 9.5");
    }

    @Test
    @Tag("E11")
    void aDayPassesInMoments() {
        story.start(timer(h -> h.interval(Duration.ofMinutes(1)), context -> null));
        create();
        story.pass(Duration.ofDays(1));
        assertThat(story.calls).hasSize(24 * 60 + 1).last().isEqualTo("0 at 86400.5");
        assertThat(story.server.patches()).as("the finalizer").hasSize(1);
    }

    @Test
    @Tag("L24")
    @Tag("E11")
    void errorsOverrideTheInterval() {
        story.start(
                timer(h -> h.errors(ErrorsMode.TEMPORARY).interval(seconds(10)).backoff(seconds(5)), context -> {
                    if (context.retry() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return null;
                }));
        create();
        story.pass(seconds(27));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 5.5", "2 at 10.5", "3 at 15.5", "0 at 25.5");
    }

    @Test
    @Tag("L24")
    void temporaryErrorsBringTheirOwnDelay() {
        story.start(timer(h -> h.interval(seconds(10)), context -> {
            if (context.retry() == 0) {
                throw new TemporaryException("soon", seconds(2));
            }
            return null;
        }));
        create();
        story.pass(seconds(13));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 2.5", "0 at 12.5");
    }

    enum Failing {
        PERMANENTLY,
        TOO_OFTEN,
        BY_MODE,
        OUT_OF_TIME
    }

    @ParameterizedTest
    @EnumSource
    @Tag("L04")
    void finalFailuresStopItForGood(Failing way) {
        story.start(timer(
                h -> {
                    h.interval(seconds(10));
                    switch (way) {
                        case PERMANENTLY -> {}
                        case TOO_OFTEN -> h.retries(2).backoff(seconds(1));
                        case BY_MODE -> h.errors(ErrorsMode.PERMANENT);
                        case OUT_OF_TIME -> h.timeout(seconds(3)).backoff(seconds(2));
                    }
                },
                context -> {
                    if (way == Failing.PERMANENTLY) {
                        throw new PermanentException("never again");
                    }
                    throw new IllegalStateException("fails");
                }));
        create();
        story.pass(Duration.ofMinutes(5));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).hasSize(way == Failing.TOO_OFTEN || way == Failing.OUT_OF_TIME ? 2 : 1);
        assertThat(story.at("/metadata/finalizers").isMissingNode())
                .as("nothing holds the object")
                .isTrue();
    }

    @Test
    @Tag("E13")
    @Tag("L25")
    void idleOnesWaitUntilTheObjectIsUnchangedAndCreationIsAChange() {
        story.start(timer(h -> h.idle(seconds(10)), context -> null));
        create();
        story.pass(seconds(6));
        story.server.change("x", "spec.field", "b");
        story.pass(seconds(6));
        story.server.change("x", "spec.field", "c");
        story.pass(seconds(60));
        assertThat(story.calls).containsExactly("0 at 22.5");
    }

    @Test
    @Tag("E14")
    void idleOnesWithoutAnIntervalAreCalledOnceAfterEachChange() {
        story.start(timer(h -> h.idle(seconds(10)), context -> null));
        create();
        story.pass(Duration.ofMinutes(10));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("0 at 10.5", "0 at 610.5");
    }

    @Test
    @Tag("E14")
    void changesDuringACallOfAnIdleOneAreNotLost() {
        story.start(timer(h -> h.idle(seconds(10)), taking(seconds(5))));
        create();
        story.pass(seconds(12));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("0 at 10.5", "0 at 22.5");
    }

    @Test
    @Tag("E13")
    @Tag("L25")
    void onlyChangesThatMatterEndTheIdling() {
        story.start(timer(h -> h.idle(seconds(10)).interval(seconds(1)), context -> context.retry() + story.seconds()));
        create();
        story.pass(seconds(6));
        story.server.change("x", "status.other", "b");
        story.server.change("x", "metadata.managedFields", java.util.List.of(Map.of("manager", "somebody")));
        story.pass(seconds(7));
        assertThat(story.calls).containsExactly("0 at 10.5", "0 at 11.5", "0 at 12.5", "0 at 13.5");
        story.server.change("x", "metadata.labels", Map.of("a", "b"));
        story.pass(seconds(11));
        assertThat(story.calls).hasSize(6).last().isEqualTo("0 at 24.5");
    }

    @Test
    @Tag("E13")
    @Tag("L25")
    void theIdleTimeBeginsAnewWithEachHandlerOfAChange() {
        story.start(builder -> timer(h -> h.idle(seconds(10)), context -> null)
                .apply(builder)
                .onCreate("kex", "one", taking(seconds(8)))
                .onCreate("kex", "two", taking(seconds(8))));
        create();
        story.pass(seconds(60));
        assertThat(story.calls).as("10 s after the creation has ended").containsExactly("0 at 26.5");
    }

    @Test
    @Tag("E13")
    void theIdleTimeBeginsAnewWithEachAttemptOfAHandler() {
        story.start(builder -> timer(h -> h.idle(seconds(10)), context -> null)
                .apply(builder)
                .onUpdate("kex", "slowly", context -> {
                    if (context.retry() < 3) {
                        throw new TemporaryException("not yet", seconds(4));
                    }
                    return null;
                }));
        create();
        story.pass(seconds(20));
        story.server.change("x", "spec.field", "b");
        story.pass(seconds(60));
        assertThat(story.calls).containsExactly("0 at 10.5", "0 at 42.5");
    }

    @Test
    @Tag("E14")
    void whileAHandlerWaitsForLongTheObjectIsIdle() {
        story.start(builder -> timer(h -> h.idle(seconds(10)), context -> null)
                .apply(builder)
                .onCreate("kex", "slowly", context -> {
                    if (context.retry() == 0) {
                        throw new TemporaryException("not yet", seconds(60));
                    }
                    return null;
                }));
        create();
        story.pass(seconds(100));
        assertThat(story.calls).containsExactly("0 at 10.5", "0 at 70.5");
    }

    @Test
    @Tag("E13")
    void theStartOfTheOperatorIsNoChange() {
        UnaryOperator<OperatorBuilder> handlers = builder -> timer(h -> h.idle(seconds(10)), context -> null)
                .apply(builder)
                .onCreate("kex", "create", context -> null)
                .onResume("kex", "resume", taking(seconds(7)));
        story.start(handlers);
        create();
        story.pass(seconds(30));
        story.restart(handlers);
        story.pass(seconds(12));
        assertThat(story.calls).hasSize(2).last().isEqualTo("0 at 45.5");
    }

    @Test
    @Tag("E13")
    void theIdleTimeOfOneThatBeginsBesideADaemonBeginsWithIt() {
        story.start(builder -> timer(h -> h.idle(seconds(10)).labels("app=web"), context -> null)
                .apply(builder)
                .onDaemon("kex", "dmn", context -> {
                    context.stopped().await();
                    return null;
                }));
        create();
        story.pass(seconds(60));
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.pass(seconds(60));
        assertThat(story.calls).as("the label is a change").containsExactly("0 at 70.5");
        story.server.change("x", "metadata.labels", Map.of("app", "none"));
        story.pass(seconds(60));
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.pass(seconds(60));
        assertThat(story.calls).as("it begins again").containsExactly("0 at 70.5", "0 at 190.5");
    }

    @Test
    @Tag("E13")
    void fieldsOfTheFilterMatterToo() {
        story.start(timer(h -> h.idle(seconds(10)).field("status.phase"), context -> null));
        create();
        story.server.change("x", "status", Map.of("phase", "one"));
        story.pass(seconds(6));
        story.server.change("x", "status", Map.of("phase", "two"));
        story.pass(seconds(60));
        assertThat(story.calls).containsExactly("0 at 16.5");
    }

    @Test
    @Tag("L25")
    @Tag("E13")
    @Tag("E03")
    void allTimesCombine() {
        story.start(timer(h -> h.initialDelay(seconds(60)).interval(seconds(10)).idle(seconds(600)), context -> null));
        create();
        story.pass(seconds(300));
        story.server.change("x", "spec.field", "b");
        story.pass(seconds(625));
        assertThat(story.calls).containsExactly("0 at 900.5", "0 at 910.5", "0 at 920.5");
        story.server.change("x", "spec.field", "c");
        story.pass(seconds(601));
        assertThat(story.calls).hasSize(4).last().isEqualTo("0 at 1525.5");
    }

    @Test
    @Tag("E03")
    void initialDelaysCountOnce() {
        story.start(timer(h -> h.initialDelay(context -> seconds(5)).interval(seconds(1)), context -> null));
        create();
        story.pass(seconds(7.2));
        assertThat(story.calls).containsExactly("0 at 5.5", "0 at 6.5", "0 at 7.5");
    }

    @Test
    @Tag("E14")
    void withoutAnIntervalThereIsOneCall() {
        story.start(timer(h -> {}, context -> null));
        create();
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("0 at 0.5");
    }

    @Test
    @Tag("E10")
    @Tag("L14")
    void resultsAndPatchesAreWrittenAfterEachCall() {
        story.start(timer(h -> h.interval(seconds(10)), context -> {
            context.patch().status().set("count", context.status().getInt("count", 0) + 1);
            return story.calls.size();
        }));
        create();
        story.pass(seconds(25));
        assertThat(story.at("/status").toString()).isEqualTo("{\"count\":3,\"tmr\":3}");
    }

    @Test
    @Tag("E05")
    void theyAreCalledOnlyWhileTheirFiltersMatch() {
        story.start(timer(h -> h.interval(seconds(1)).labels("!paused"), context -> null));
        create();
        story.pass(seconds(1.2));
        story.server.change("x", "metadata.labels", Map.of("paused", ""));
        story.pass(seconds(10));
        story.server.change("x", "metadata.labels", null);
        story.rest();
        assertThat(story.calls).containsExactly("0 at 0.5", "0 at 1.5", "0 at 11.7");
    }

    @Test
    @Tag("E02")
    @Tag("E06")
    void deletionsWaitForACallThatIsMadeAndTheCallIsTold() {
        story.start(timer(h -> h.interval(seconds(1)), context -> {
            boolean told = context.stopped().await(seconds(5));
            story.world.sleep(seconds(2));
            story.calls.add("told " + told);
            return null;
        }));
        create();
        story.pass(seconds(1));
        story.server.delete("x");
        story.pass(seconds(1.5));
        assertThat(story.server.exists("x")).isTrue();
        story.pass(seconds(1));
        assertThat(story.calls).containsExactly("0 at 0.5", "told true");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E10")
    void changesThatCannotBeWrittenAreWrittenLater() {
        story.start(timer(h -> h.interval(seconds(10)), context -> "at " + story.seconds()));
        create();
        story.rest();
        boolean[] down = {true};
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(dev.kopf4j.client.transport.TransportRequest transportRequest)
                    throws java.io.IOException {
                if (down[0] && transportRequest.method().equals("PATCH")) {
                    throw new java.io.IOException("no route to host");
                }
            }
        });
        story.pass(Duration.ofMinutes(3));
        assertThat(story.at("/status/tmr").asString()).isEqualTo("at 0.5");
        assertThat(story.lines(Level.ERROR))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .contains("The changes that Timer 'tmr' has made are not written, and are tried again"));
        down[0] = false;
        story.pass(Duration.ofMinutes(1));
        assertThat(story.at("/status/tmr").asString()).startsWith("at 2").isNotEqualTo("at 0.5");
    }
}
