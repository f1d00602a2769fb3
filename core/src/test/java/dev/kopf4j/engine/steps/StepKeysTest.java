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

    /** As clients of futures do: the key of the handler would be one and the same for two steps. */
    @Test
    @Tag("Q14")
    void aKeyIsRefusedInAThreadThatAStepWaitsFor() {
        List<String> keys = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            Steps steps = context.steps();
            steps.run("db", () -> {
                keys.add(steps.idempotencyKey());
                elsewhere(() -> {
                    try {
                        keys.add(steps.idempotencyKey());
                    } catch (IllegalStateException e) {
                        refusals.add(String.valueOf(e.getMessage()));
                    }
                });
            });
            elsewhere(() -> keys.add(steps.idempotencyKey()));
            return null;
        }));
        create();
        story.pass(Duration.ofSeconds(10));
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        assertThat(refusals)
                .singleElement()
                .asString()
                .contains("a step of 'cre' is being called", "before others get the work");
    }

    private void elsewhere(Runnable work) throws InterruptedException {
        assertThat(story.world.spawn("elsewhere", work).join(story.world.after(Duration.ofMinutes(1))))
                .isTrue();
    }

    /**
     * External systems have stored them: a retry by a later version of kopf4j has to give the same. A line has the id,
     * the run, and the key, which is {@code printf '%s\n%s\n%s' UID ID RUN | sha256sum} cut to a UUID of version 8.
     */
    @Test
    @Tag("Q14")
    void keysStayTheSameFromVersionToVersion() {
        List<String> keys = new ArrayList<>();
        dev.kopf4j.Handler handler = context -> {
            boolean first = context.spec().getString("field", "").equals("a");
            String run = first ? " 0 " : " 1 ";
            String runOfAll = first ? " 0 " : " 2 "; // sub-handlers' numbers are counted with their parent's end, too
            Steps steps = context.steps();
            keys.add("cre" + run + steps.idempotencyKey());
            steps.step("db").undoable().run(() -> keys.add("cre/db" + run + steps.idempotencyKey()));
            steps.run("user", "alice", () -> keys.add("cre/user/alice" + run + steps.idempotencyKey()));
            steps.run(
                    "user",
                    "alice@example.com",
                    () -> keys.add("cre/user/alice-example-com-ff8d9819fc0e12bf" + run + steps.idempotencyKey()));
            context.subHandlers().add("sub", inner -> {
                keys.add("cre/sub" + runOfAll + inner.steps().idempotencyKey());
                inner.steps()
                        .run(
                                "s",
                                () -> keys.add(
                                        "cre/sub/s" + runOfAll + inner.steps().idempotencyKey()));
                return null;
            });
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "cre", handler)
                .onUpdate("kex", "cre", handler)
                .onDelete("kex", "del", context -> {
                    Steps steps = context.steps();
                    keys.add("del 0 " + steps.idempotencyKey());
                    steps.undo(undo -> undo.step(
                            "db", Boolean.class, made -> keys.add("undo/cre/db 0 " + steps.idempotencyKey())));
                    return null;
                })
                .onTimer("kex", "tick", options -> options.interval(Duration.ofHours(1)), context -> {
                    Steps steps = context.steps();
                    keys.add("tick-timer 0 " + steps.idempotencyKey());
                    steps.run("a", () -> keys.add("tick-timer/a 0 " + steps.idempotencyKey()));
                    return null;
                })
                .onDaemon("kex", "watch", context -> {
                    Steps steps = context.steps();
                    steps.run("vm", () -> keys.add("watch-daemon/vm 0 " + steps.idempotencyKey()));
                    return null;
                }));
        create();
        handle("b");
        story.server.delete("x");
        story.rest();
        assertThat(keys).containsExactlyInAnyOrderElementsOf("""
                cre 0 c1cbf6fc-99b2-8ddb-9165-d6d4dad0c566
                cre/db 0 444c0fd8-6faa-83a0-8c28-e4d2fb602994
                cre/user/alice 0 6fc2233a-743c-8481-8db4-93866971a6c6
                cre/user/alice-example-com-ff8d9819fc0e12bf 0 b629c3b5-0062-86d0-a33d-4552575383bc
                cre/sub 0 f5801261-16bc-8dfa-8864-5232acbfc504
                cre/sub/s 0 1ca517d3-2fef-8617-874d-c62b9f2190f4
                cre 1 5194b95e-8153-8f85-b862-144b06afba19
                cre/db 1 781e85a7-9cab-876b-b060-dc1acc4065b8
                cre/user/alice 1 fa947477-4b8c-89a7-8c0e-1b4ea9c481e1
                cre/user/alice-example-com-ff8d9819fc0e12bf 1 82f09ed4-aac1-83e9-8df9-693a78b71116
                cre/sub 2 255040f7-3f80-855c-a77b-61f149bf6c37
                cre/sub/s 2 3b3db805-3e8a-8cb6-98be-a618787fae68
                del 0 ccfb2aa2-300a-8bf7-92b1-671d7c54044f
                undo/cre/db 0 6c5e7b9d-bfe2-8e93-970b-99bb31eeac52
                tick-timer 0 aa5e69db-3ef7-8c55-9f00-b75d51616e2f
                tick-timer/a 0 278bb712-3a30-8686-bd7c-3cf4cbe5eea4
                watch-daemon/vm 0 6ebeffca-ec81-8f21-a71a-fa54a8d7112d
                """.lines().toList());
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
