package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Reason;
import dev.kopf4j.Steps;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The keys that steps and handlers give to outer systems: the same in all attempts, and never used again. */
class StepKeysTest extends StepsScenario {
    @Test
    @Tag("Q14")
    void keysAreTheSameInAllAttemptsAndOthersForEachChangeStepAndObject() {
        List<String> keys = new ArrayList<>();
        dev.kopf4j.Handler handler = context -> {
            Steps steps = context.steps();
            steps.run("a", () -> {
                keys.add(steps.idempotencyKey());
                if (broken.get()) {
                    story.world.sleep(Duration.ofMinutes(10));
                }
            });
            steps.run("b", () -> keys.add(steps.idempotencyKey()));
            return fail(broken.get());
        };
        UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onCreate("kex", "cre", handler).onUpdate("kex", "cre", handler);
        story.start(handlers);
        create();
        story.kill();
        story.start(handlers);
        story.kill();
        broken.set(false);
        story.start(handlers);
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.change("x", "spec.field", "a");
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.create(Scenario.example("y"));
        story.rest();
        // Three attempts of a, and then a and b five times.
        assertThat(keys).hasSize(12).allMatch(key -> key.matches("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab].*"));
        assertThat(keys.subList(0, 3)).containsOnly(keys.getFirst());
        assertThat(keys.subList(2, 12)).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    void withoutAStepTheKeyIsThatOfTheHandledChange() {
        List<String> keys = new ArrayList<>();
        story.start(builder -> builder.onUpdate("kex", "upd", context -> {
            keys.add(context.steps().idempotencyKey());
            return fail(keys.size() == 1);
        }));
        create();
        for (String value : List.of("b", "c")) {
            story.server.change("x", "spec.field", value);
            story.pass(Duration.ofSeconds(11));
        }
        assertThat(keys).hasSize(3);
        assertThat(keys.get(1)).as("of the second attempt").isEqualTo(keys.getFirst());
        assertThat(keys.get(2)).as("of the next change").isNotEqualTo(keys.getFirst());
    }

    @Test
    @Tag("Q14")
    @Tag("Q16")
    void withoutAStepTheKeyIsThatOfTheTimersCall() {
        List<String> keys = new ArrayList<>();
        story.start(builder ->
                builder.onTimer("kex", "tick", options -> options.interval(Duration.ofMinutes(1)), context -> {
                    keys.add(context.steps().idempotencyKey());
                    return fail(keys.size() == 1);
                }));
        create();
        story.pass(Duration.ofSeconds(11));
        story.pass(Duration.ofMinutes(1));
        assertThat(keys).hasSize(3);
        assertThat(keys.get(1)).as("of the second attempt").isEqualTo(keys.getFirst());
        assertThat(keys.get(2)).as("of the next call").isNotEqualTo(keys.getFirst());
    }

    /** The retry finds what the first attempt has made, and needs no key for it. */
    private dev.kopf4j.Handler losingTheFirstAnswer(List<String> keys) {
        return context -> {
            if (context.retry() == 0) {
                keys.add(context.steps().idempotencyKey());
            }
            return fail(keys.size() == 1 && context.retry() == 0);
        };
    }

    @Test
    @Tag("Q14")
    void aKeyThatAFailedAttemptWasGivenIsNotThatOfTheNextChange() {
        List<String> keys = new ArrayList<>();
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onUpdate("kex", "upd", losingTheFirstAnswer(keys));
        story.start(handlers);
        create();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(1));
        assertThat(record("upd").path("keyGiven").asBoolean()).isTrue();
        story.restart(handlers);
        story.pass(Duration.ofSeconds(11));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(1));
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        assertThat(story.hasAnnotation(PREFIX + "upd")).isFalse();
    }

    @Test
    @Tag("Q14")
    void aRequestedRetryDoesNotForgetThatAKeyWasGiven() {
        List<String> keys = new ArrayList<>();
        story.start(builder -> builder.onUpdate("kex", "upd", context -> {
            if (context.retry() == 0 && keys.size() != 1) {
                keys.add(context.steps().idempotencyKey());
                return fail(keys.size() == 1);
            }
            return null;
        }));
        create();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.annotate("x", PREFIX + "retry", "now upd");
        story.pass(Duration.ofSeconds(3));
        assertThat(story.hasAnnotation(PREFIX + "upd")).isFalse();
        keys.add("");
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(1));
        assertThat(keys).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    @Tag("Q16")
    void aKeyThatAFailedAttemptWasGivenIsNotThatOfTheTimersNextCall() {
        List<String> keys = new ArrayList<>();
        story.start(builder -> builder.onTimer(
                "kex", "tick", options -> options.interval(Duration.ofMinutes(1)), losingTheFirstAnswer(keys)));
        create();
        story.pass(Duration.ofSeconds(11));
        story.pass(Duration.ofMinutes(1));
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        assertThat(annotations()).containsExactly(PREFIX + "step-runs.tick-timer");
    }

    @Test
    @Tag("Q14")
    @Tag("Q16")
    void anotherProcessKnowsThatATimersKeyWasGiven() {
        List<String> keys = new ArrayList<>();
        UnaryOperator<OperatorBuilder> handlers = builder ->
                builder.onTimer("kex", "tick", options -> options.interval(Duration.ofMinutes(1)), context -> {
                    // The second call is the first one of another process.
                    story.calls.add("call");
                    if (story.calls.size() != 2) {
                        keys.add(context.steps().idempotencyKey());
                    }
                    return fail(story.calls.size() == 1);
                });
        story.start(handlers);
        create();
        story.kill();
        story.start(handlers);
        story.pass(Duration.ofMinutes(2));
        assertThat(keys.get(1)).isNotEqualTo(keys.getFirst());
    }

    /** A sub-handler with a step for each letter of the field. */
    private void startWithItems(List<String> keys) {
        dev.kopf4j.Handler handler = context -> {
            for (char item : context.spec().getString("field", "").toCharArray()) {
                context.subHandlers().add(String.valueOf(item), inner -> {
                    inner.steps().run("s", () -> keys.add(inner.steps().idempotencyKey()));
                    return null;
                });
            }
            context.subHandlers().execute();
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "sync", handler).onUpdate("kex", "sync", handler));
    }

    private void handle(String items) {
        story.server.change("x", "spec.field", items);
        story.pass(Duration.ofSeconds(1));
    }

    @Test
    @Tag("Q10")
    @Tag("Q14")
    void subHandlersThatComeAndGoLeaveOneNumberAndGetOtherKeysWhenTheyComeBack() {
        List<String> keys = new ArrayList<>();
        startWithItems(keys);
        create();
        List.of("bc", "de", "b", "ab", "cd").forEach(this::handle);
        assertThat(keys).hasSize(1 + 9).doesNotHaveDuplicates();
        assertThat(annotations())
                .containsExactlyInAnyOrder(
                        PREFIX + "last-handled-configuration",
                        PREFIX + "step-runs.sync",
                        PREFIX + "step-runs.sync._sub-handlers");
    }

    @Test
    @Tag("Q14")
    void theNumbersThatEarlierVersionsHaveLeftOfSubHandlersTellTheirKeysApart() {
        List<String> keys = new ArrayList<>();
        startWithItems(keys);
        create();
        for (String left : List.of("1", "2", "3")) {
            story.server.annotate("x", PREFIX + "step-runs.sync.b", left);
            handle("b");
            handle("c");
        }
        story.server.annotate("x", PREFIX + "step-runs.sync.b", "40");
        handle("c");
        assertThat(annotations()).contains(PREFIX + "step-runs.sync.b");
        handle("bd");
        assertThat(annotations()).doesNotContain(PREFIX + "step-runs.sync.b");
        assertThat(story.at("/metadata/annotations")
                        .path(PREFIX + "step-runs.sync._sub-handlers")
                        .asString(""))
                .isEqualTo("42");
        handle("b");
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    void aSubHandlerThatIsCalledAgainOnRequestGetsAnotherKeyAlthoughItsParentGoesOn() {
        List<String> keys = new ArrayList<>();
        dev.kopf4j.Handler handler = context -> {
            context.subHandlers().add("a", inner -> keys.add(inner.steps().idempotencyKey()));
            context.subHandlers().execute();
            return fail(broken.get());
        };
        story.start(builder -> builder.onCreate("kex", "sync", handler).onUpdate("kex", "sync", handler));
        create();
        story.server.annotate("x", PREFIX + "retry", "now sync/a");
        story.pass(Duration.ofSeconds(11));
        assertThat(keys).hasSize(2);
        broken.set(false);
        story.pass(Duration.ofSeconds(11));
        handle("b");
        assertThat(keys).hasSize(3).doesNotHaveDuplicates();
    }

    /** An update whose step notes its key, and which fails until it is mended. */
    private UnaryOperator<OperatorBuilder> failing(List<String> keys) {
        return builder -> builder.onUpdate(
                        "kex",
                        "upd",
                        options -> options.when(context ->
                                !context.spec().getString("field", "").equals("off")),
                        context -> {
                            context.steps()
                                    .run("a", () -> keys.add(context.steps().idempotencyKey()));
                            return fail(broken.get());
                        })
                .onUpdate("kex", "other", context -> null);
    }

    @Test
    @Tag("Q14")
    void aRunThatIsGivenUpAsTheChangeIsUndoneLeavesItsKeyToNobody() {
        List<String> keys = new ArrayList<>();
        story.start(failing(keys));
        create();
        handle("b");
        handle("a");
        story.pass(Duration.ofSeconds(20));
        broken.set(false);
        story.pass(Duration.ofSeconds(20));
        handle("c");
        assertThat(keys.stream().distinct())
                .as("of b, its undoing, and c: %s", keys)
                .hasSize(3);
    }

    @Test
    @Tag("Q14")
    void aRunThatIsGivenUpAsAFilterDoesNotMatchAnyMoreLeavesItsKeyToNobody() {
        List<String> keys = new ArrayList<>();
        story.start(failing(keys));
        create();
        handle("b");
        handle("off");
        story.pass(Duration.ofSeconds(20));
        assertThat(story.hasAnnotation(PREFIX + "upd")).isFalse();
        broken.set(false);
        handle("c");
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    /** One function for updates, resuming and deletions, which has a step and a sub-handler with a step. */
    private UnaryOperator<OperatorBuilder> oneForAll(List<String> keys) {
        dev.kopf4j.Handler handler = context -> {
            String call = context.reason() + " ";
            context.steps().run("a", () -> keys.add(call + context.steps().idempotencyKey()));
            context.subHandlers().add("sub", inner -> {
                inner.steps().run("s", () -> keys.add(call + inner.steps().idempotencyKey()));
                return null;
            });
            context.subHandlers().execute();
            return fail(context.reason() == Reason.UPDATE);
        };
        return builder -> builder.onUpdate("kex", "one", handler)
                .onResume("kex", "one", handler)
                .onDelete("kex", "one", handler);
    }

    private static void assertEachHasItsOwn(List<String> keys, Reason... reasons) {
        assertThat(keys.stream().map(key -> key.split(" ", -1)[0]))
                .containsExactlyElementsOf(Stream.of(reasons)
                        .flatMap(reason -> Stream.of(reason.toString(), reason.toString()))
                        .toList());
        assertThat(keys.stream().map(key -> key.split(" ", -1)[1])).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    void theStepsOfAnUpdateAreNotThoseOfTheDeletionAlthoughTheirHandlerIsOne() {
        List<String> keys = new ArrayList<>();
        story.start(oneForAll(keys));
        create();
        handle("b");
        assertThat(annotations()).contains(PREFIX + "one.a", PREFIX + "one.sub.s");
        story.server.delete("x");
        story.pass(Duration.ofSeconds(1));
        assertEachHasItsOwn(keys, Reason.UPDATE, Reason.DELETE);
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q14")
    void theStepsOfAnUpdateThatWasUndoneWhileNoOperatorRanAreNotThoseOfTheResuming() {
        List<String> keys = new ArrayList<>();
        story.start(oneForAll(keys));
        create();
        handle("b");
        story.kill();
        story.server.change("x", "spec.field", "a");
        story.start(oneForAll(keys));
        story.pass(Duration.ofSeconds(1));
        assertEachHasItsOwn(keys, Reason.UPDATE, Reason.RESUME);
        assertThat(annotations())
                .containsExactlyInAnyOrder(
                        PREFIX + "last-handled-configuration",
                        PREFIX + "step-runs.one",
                        PREFIX + "step-runs.one._sub-handlers");
    }

    @Test
    @Tag("Q14")
    void theStepsOfAnUpdateThatWasUndoneWhileNoOperatorRanAreNotThoseOfTheNextOne() {
        List<String> keys = new ArrayList<>();
        story.start(failing(keys));
        create();
        handle("b");
        story.kill();
        story.server.change("x", "spec.field", "a");
        story.start(failing(keys));
        story.pass(Duration.ofSeconds(20));
        handle("c");
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    void aStepThatIsInterruptedByAStopLeavesItsKeyToNobody() {
        List<String> keys = new ArrayList<>();
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onUpdate("kex", "upd", context -> {
            if (!context.spec().getString("field", "").equals("off")) {
                context.steps().run("a", () -> {
                    keys.add(context.steps().idempotencyKey());
                    if (broken.get()) {
                        story.world.sleep(Duration.ofMinutes(5));
                    }
                });
            }
            return null;
        });
        story.start(handlers);
        create();
        handle("b");
        story.stop();
        broken.set(false);
        story.server.change("x", "spec.field", "off");
        story.start(handlers);
        story.pass(Duration.ofSeconds(20));
        handle("c");
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q14")
    void numbersOfSubHandlersGoWithAChangeThatIsUndone() {
        dev.kopf4j.Handler handler = context -> {
            for (char item : context.spec().getString("field", "").toCharArray()) {
                context.subHandlers().add(String.valueOf(item), inner -> {
                    inner.steps().run("s", () -> inner.steps().idempotencyKey());
                    return fail(item == 'w');
                });
            }
            context.subHandlers().execute();
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "sync", handler).onUpdate("kex", "sync", handler));
        create();
        for (String items : List.of("bw", "a", "cw", "a")) {
            handle(items);
            story.pass(Duration.ofSeconds(12));
        }
        story.pass(Duration.ofMinutes(1));
        assertThat(annotations())
                .containsExactlyInAnyOrder(
                        PREFIX + "last-handled-configuration",
                        PREFIX + "step-runs.sync",
                        PREFIX + "step-runs.sync._sub-handlers");
    }
}
