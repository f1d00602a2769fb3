package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of timers and daemons: for how long their records are kept. */
class BackgroundStepsTest extends StepsScenario {
    private OperatorBuilder timing(OperatorBuilder builder) {
        return builder.onTimer("kex", "cre", options -> options.interval(Duration.ofMinutes(1)), context -> {
            Steps steps = context.steps();
            steps.run("a", () -> story.calls.add("a " + steps.idempotencyKey()));
            steps.run("b", () -> {
                story.calls.add("b");
                if (broken.get()) {
                    story.world.sleep(Duration.ofMinutes(10));
                }
            });
            return null;
        });
    }

    @Test
    @Tag("Q16")
    void theStepsOfATimerAreThoseOfOneOfItsCalls() {
        story.start(this::timing);
        create();
        assertThat(annotations()).contains(PREFIX + "cre-timer.a");
        story.kill();
        broken.set(false);
        story.start(this::timing);
        story.rest();
        assertThat(story.calls).hasSize(3).endsWith("b", "b");
        assertThat(annotations()).containsExactly(PREFIX + "step-runs.cre-timer");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).hasSize(5);
        assertThat(story.calls.get(3)).startsWith("a ").isNotEqualTo(story.calls.getFirst());
    }

    /** The second attempt returns, or fails for good, before it comes to the step. */
    @Test
    @Tag("Q16")
    void whatACallHasRecordedIsOfNoUseToTheNextOne() {
        AtomicInteger attempts = new AtomicInteger();
        story.start(builder ->
                builder.onTimer("kex", "tick", options -> options.interval(Duration.ofMinutes(1)), context -> {
                    if (attempts.incrementAndGet() == 2) {
                        return null;
                    }
                    context.steps().run("a", () -> call("a"));
                    return fail(attempts.get() == 1);
                }));
        create();
        assertThat(annotations()).contains(PREFIX + "tick-timer.a");
        story.pass(Duration.ofSeconds(11));
        assertThat(annotations()).containsExactly(PREFIX + "step-runs.tick-timer");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("a", "a");
    }

    @Test
    @Tag("Q16")
    void whatIsRecordedGoesWhenNoFurtherCallIsPermitted() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers = builder -> builder.onTimer(
                "kex",
                "tick",
                options -> options.interval(Duration.ofMinutes(1)).timeout(Duration.ofMinutes(2)),
                context -> {
                    context.steps().run("a", () -> call("a"));
                    return fail(true);
                });
        story.start(handlers);
        create();
        assertThat(annotations()).contains(PREFIX + "tick-timer.a");
        story.server.annotate("x", PREFIX + "pause", "");
        story.pass(Duration.ofMinutes(5));
        story.server.annotate("x", PREFIX + "pause", null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("a");
        assertThat(annotations()).doesNotContain(PREFIX + "tick-timer.a", PREFIX + "tick-timer");
    }

    @Test
    @Tag("Q16")
    void theStepsOfADaemonAreKeptUntilItEndsByItself() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onDaemon("kex", "watch", context -> {
                    context.steps().run("vm", () -> call("vm"));
                    while (broken.get() && !context.stopped().await(Duration.ofSeconds(1))) {
                        story.calls.add("looks");
                    }
                    return null;
                });
        story.start(handlers);
        create();
        story.restart(handlers);
        assertThat(story.calls.stream().filter("vm"::equals)).hasSize(1);
        assertThat(annotations()).contains(PREFIX + "watch-daemon.vm");
        story.kill();
        broken.set(false);
        story.start(handlers);
        story.pass(Duration.ofSeconds(3));
        assertThat(annotations()).containsExactly(PREFIX + "step-runs.watch-daemon");
        assertThat(story.calls.stream().filter("vm"::equals)).hasSize(1);
    }

    /** It takes longer than the end of the operator waits for timers without steps. */
    @ParameterizedTest
    @CsvSource({"alone", "side by side"})
    @Tag("Q16")
    void whatIsMadeWhenTheOperatorEndsIsRecorded(String how) {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onTimer("kex", "tick", options -> options.interval(Duration.ofHours(1)), context -> {
                    Steps steps = context.steps();
                    steps.all(
                            how.equals("alone")
                                    ? new Steps.Step<?>[] {steps.step("vm").call(() -> deaf("vm", 12))}
                                    : new Steps.Step<?>[] {
                                        steps.step("vm").call(() -> deaf("vm", 12)),
                                        steps.step("ip").call(() -> deaf("ip", 12))
                                    });
                    steps.run("mail", () -> call("mail"));
                    return null;
                });
        story.start(handlers);
        create();
        story.stop();
        while (!story.hasEnded()) {
            story.pass(Duration.ofSeconds(1));
        }
        story.kill();
        story.start(handlers);
        story.rest();
        assertThat(story.calls).containsOnlyOnce("vm", "mail").endsWith("mail");
    }

    @Test
    @Tag("Q16")
    void aTimerInDoubtStopsAndGoesOnWithARetry() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onTimer("kex", "tick", options -> options.interval(Duration.ofHours(1)), context -> {
                    context.steps().step("vm").intent().run(() -> {
                        call("vm");
                        if (broken.get()) {
                            story.world.sleep(Duration.ofMinutes(10));
                        }
                    });
                    return null;
                });
        story.start(handlers);
        create();
        story.kill();
        story.start(handlers);
        story.pass(Duration.ofHours(5));
        assertThat(story.calls).containsExactly("vm");
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("True");
        broken.set(false);
        story.server.annotate("x", PREFIX + "retry", "looked");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("vm", "vm");
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("False");
    }

    private void waitUnseen(Duration time) {
        try {
            story.world.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the filter", e);
        }
    }

    /** An event from before is still looked at, and its handlers are called for a while. */
    @Test
    @Tag("Q10")
    void whatADaemonHasRecordedIsNotForgottenForAnOlderState() {
        AtomicBoolean slow = new AtomicBoolean();
        story.start(builder -> builder.onDaemon("kex", "watch", context -> {
                    context.steps().run("a", () -> {
                        slow.set(true);
                        story.server.change("x", "spec.field", "b");
                        story.world.sleep(Duration.ofMillis(50));
                        return call("a");
                    });
                    context.steps().run("b", () -> call("b"));
                    story.world.sleep(Duration.ofSeconds(1));
                    if (context.retry() == 0) {
                        throw new TemporaryException("again", Duration.ofMillis(1));
                    }
                    context.stopped().await();
                    return null;
                })
                .onDaemon(
                        "kex",
                        "other",
                        options -> options.when(context -> {
                            waitUnseen(slow.get() ? Duration.ofMillis(200) : Duration.ZERO);
                            return true;
                        }),
                        context -> {
                            context.stopped().await();
                            return null;
                        })
                .onUpdate("kex", "upd", context -> {
                    story.calls.add("update");
                    story.world.sleep(Duration.ofSeconds(10));
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactlyInAnyOrder("a", "b", "update");
    }
}
