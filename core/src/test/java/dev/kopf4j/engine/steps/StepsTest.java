package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Steps;
import dev.kopf4j.Tracing;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded of steps, and what an attempt after that finds. */
class StepsTest extends StepsScenario {
    @Test
    @Tag("Q10")
    void aRetryGetsTheRecordedResultInsteadOfACall() {
        start(context -> {
            String id = context.steps().run("create-db", () -> call("db"));
            story.calls.add("user of " + id);
            return fail(broken.get());
        });
        create();
        assertThat(record("cre.create-db").path("result").asString()).isEqualTo("db-1");
        assertThat(record("cre.create-db").path("success").asBoolean()).isTrue();
        assertThat(record("cre").path("subrefs").toString()).isEqualTo("[\"cre/create-db\"]");
        broken.set(false);
        story.pass(Duration.ofSeconds(11));
        assertThat(story.calls).containsExactly("db", "user of db-1", "user of db-1");
        assertThat(annotations())
                .containsExactlyInAnyOrder(PREFIX + "last-handled-configuration", PREFIX + "step-runs.cre");
    }

    @Test
    @Tag("Q10")
    void eachStepIsOnTheObjectBeforeTheNextOneBegins() {
        List<String> recorded = new ArrayList<>();
        start(context -> {
            Steps steps = context.steps();
            steps.run("a", () -> call("a"));
            recorded.add(record("cre.a").path("result").asString(""));
            steps.run("b", () -> call("b"));
            recorded.add(record("cre.b").path("result").asString(""));
            return null;
        });
        create();
        assertThat(recorded).containsExactly("a-1", "b-1");
        // One for each step, and one for the end.
        assertThat(story.server.patches()).hasSize(3);
    }

    /** An event handler has wanted a transformation, whose request meets a change of somebody else. */
    @Test
    @Tag("Q10")
    void aStepWhoseRecordMeetsAnotherChangeIsMadeAnew() {
        AtomicBoolean disturbing = new AtomicBoolean(true);
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) {
                boolean json =
                        request.headers().getOrDefault("Content-Type", "").contains("json-patch");
                if (json && disturbing.getAndSet(false)) {
                    story.server.change("x", "metadata.labels.other", "change");
                }
            }
        });
        story.start(builder -> builder.onEvent("kex", "ev", context -> {
                    if (context.status().isEmpty()) {
                        context.patch().transform(body -> body.put("status", Map.of("seen", true)));
                    }
                    return null;
                })
                .onCreate("kex", "cre", context -> {
                    story.calls.add("user of " + context.steps().run("create-db", () -> call("db")));
                    return null;
                }));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(disturbing).isFalse();
        assertThat(story.calls).last().isEqualTo("user of db-1");
        assertThat(annotations()).contains(PREFIX + "last-handled-configuration");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR)).noneMatch(line -> line.contains("permanently"));
    }

    @Test
    @Tag("Q10")
    void anotherProcessGetsTheResult() {
        dev.kopf4j.Handler handler = context -> {
            Database database =
                    context.steps().step("create-db", Database.class).run(() -> new Database(call("db"), 3));
            story.calls.add(database.toString());
            story.world.sleep(Duration.ofMinutes(1));
            return null;
        };
        start(handler);
        create();
        story.kill();
        start(handler);
        assertThat(story.calls).containsExactly("db", "Database[id=db-1, size=3]", "Database[id=db-1, size=3]");
    }

    @ParameterizedTest
    @Tag("Q10")
    @ValueSource(booleans = {false, true})
    void aStepAndASubHandlerOfOneIdAreRefused(boolean stepFirst) {
        start(context -> {
            if (stepFirst) {
                context.steps().run("db", () -> call("step"));
            }
            context.subHandlers().add("db", story.noting("sub-handler"));
            context.subHandlers().execute();
            context.steps().run("db", () -> call("step"));
            return null;
        });
        create();
        assertThat(story.calls).containsExactly(stepFirst ? "step" : "sub-handler");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR))
                .anyMatch(line -> line.contains("'cre/db'") && line.contains("share one record"));
    }

    @Test
    @Tag("Q10")
    void aStepWithTheIdOfAHandlerIsRefusedAndTheHandlerIsCalled() {
        story.start(builder -> builder.onCreate("kex", "sync", context -> {
                    context.steps().run("spec", () -> call("step"));
                    return null;
                })
                .onField("kex", "sync", h -> h.field("spec"), story.noting("field")));
        create();
        assertThat(story.calls).containsExactly("field");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR))
                .anyMatch(line -> line.contains("'sync/spec'") && line.contains("share one record"));
    }

    @Test
    @Tag("Q10")
    void aHandlerForAnotherReasonIsNoTwin() {
        dev.kopf4j.Handler declaring = context -> {
            context.subHandlers().add("spec", story.noting("sub-handler"));
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "sync", declaring)
                .onUpdate("kex", "sync", h -> h.field("spec"), story.noting("update")));
        create();
        assertThat(story.calls).containsExactly("sub-handler");
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("sub-handler", "update");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR)).isEmpty();
    }

    /** But if the creation was not done, the field still counts as changed, and its handler belongs to the deletion. */
    @ParameterizedTest
    @Tag("Q10")
    @ValueSource(booleans = {false, true})
    void theHandlerOfAFieldIsNoTwinInTheDeletion(boolean unfinished) {
        story.start(builder -> builder.onDelete("kex", "sync", context -> {
                    context.steps().run("spec", () -> call("step"));
                    return null;
                })
                .onCreate("kex", "other", _ -> fail(unfinished))
                .onField("kex", "sync", h -> h.field("spec"), story.noting("field")));
        create();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).hasSize(unfinished ? 1 : 2).startsWith("field");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).stream()
                        .filter(line -> line.contains("share one record")))
                .hasSize(unfinished ? 1 : 0);
        assertThat(story.server.exists("x")).isFalse();
    }

    @ParameterizedTest
    @Tag("Q10")
    @ValueSource(booleans = {false, true})
    void aHandlerOfTheStartIsATwinInTheDeletionIfItIsCalledThen(boolean deleted) {
        story.start(builder -> builder.onDelete("kex", "sync", context -> {
                    context.steps().run("spec", () -> call("step"));
                    return null;
                })
                .onResume(
                        "kex",
                        "sync",
                        h -> {
                            var _ = deleted ? h.field("spec").deleted() : h.field("spec");
                        },
                        story.noting("resume")));
        create();
        story.calls.clear();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).hasSize(deleted ? 0 : 1);
    }

    @Test
    @Tag("Q10")
    void stepsWithKeysAreOneForEachKey() {
        start(context -> {
            for (String user : List.of("alice", "bob@example.com", "\u00e4")) {
                context.steps().run("user", user, () -> call("user " + user));
            }
            context.steps().run("done", () -> story.calls.add("done"));
            return fail(broken.get());
        });
        create();
        broken.set(false);
        story.pass(Duration.ofSeconds(11));
        assertThat(story.calls).containsExactly("user alice", "user bob@example.com", "user \u00e4", "done");
    }

    @Test
    @Tag("Q11")
    void limitsOfAStepAreItsOwn() {
        start(context -> {
            context.steps().run("a", () -> call("a"));
            context.steps().step("b").retries(2).backoff(Duration.ofSeconds(5)).run(() -> {
                call("b");
                throw new IllegalStateException("no room");
            });
            return null;
        });
        create();
        assertThat(record("cre.b").path("retries").asInt()).isEqualTo(1);
        assertThat(record("cre.b").path("message").asString()).isEqualTo("no room");
        story.pass(Duration.ofSeconds(4));
        assertThat(story.calls).containsExactly("a", "b");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("a", "b", "b");
        assertThat(story.infos()).anyMatch(line -> line.contains("Creation is processed: 0 succeeded; 1 failed."));
    }

    @Test
    @Tag("Q11")
    void aStepIsInterruptedWhenItsTimeIsOver() {
        start(context -> {
            context.steps().step("slow").timeout(Duration.ofSeconds(3)).run(() -> {
                call("slow");
                story.world.sleep(Duration.ofMinutes(10));
            });
            return null;
        });
        create();
        story.pass(Duration.ofSeconds(4));
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("Step 'cre/slow' has timed out after 0:00:03");
        assertThat(story.calls).containsExactly("slow");
    }

    @Test
    @Tag("Q11")
    void withoutLimitsOfItsOwnAStepFollowsThoseOfTheHandler() {
        story.start(builder -> builder.onCreate(
                "kex", "cre", options -> options.backoff(Duration.ofSeconds(2)).retries(3), context -> {
                    context.steps().run("b", () -> {
                        call("b");
                        throw new java.io.IOException("no room");
                    });
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("b", "b", "b");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString()).contains("no room");
    }

    @Test
    @Tag("Q12")
    void stepsSideBySideAreRecordedByOnePatch() {
        List<String> results = new ArrayList<>();
        start(context -> {
            Steps steps = context.steps();
            Steps.Step<String> dns = steps.step("dns", String.class).call(() -> slow("dns", 3));
            Steps.Step<String> certificate = steps.step("cert", String.class).call(() -> slow("cert", 3));
            steps.all(dns, certificate);
            results.add(dns.result() + certificate.result());
            return null;
        });
        create();
        story.pass(Duration.ofSeconds(4));
        assertThat(results).containsExactly("dns-1cert-1");
        assertThat(story.server.patches()).hasSize(2);
    }

    @Test
    @Tag("Q12")
    void theSlowOneOfThemLeavesTheOthersRecordedAndTheFailedOneIsCalledAgain() {
        start(context -> {
            Steps steps = context.steps();
            steps.all(
                    steps.step("quick").call(() -> slow("quick", 1)),
                    steps.step("slow").call(() -> slow("slow", 5)),
                    steps.step("failing").call(() -> {
                        call("failing");
                        fail(broken.get());
                    }));
            story.calls.add("all");
            return null;
        });
        create();
        story.pass(Duration.ofSeconds(2));
        assertThat(record("cre.quick").path("success").asBoolean()).isTrue();
        story.pass(Duration.ofSeconds(4));
        broken.set(false);
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("failing", "quick", "slow", "failing", "all");
    }

    @Test
    @Tag("Q12")
    void aTimeoutEndsTheHandlerWithItsStepsAlthoughSomeAreRecorded() {
        story.start(builder ->
                builder.onCreate("kex", "cre", options -> options.timeout(Duration.ofSeconds(5)), context -> {
                    Steps steps = context.steps();
                    try {
                        steps.all(
                                steps.step("quick").call(() -> call("quick")),
                                steps.step("slow").call(() -> slow("slow", 60)));
                        return null;
                    } catch (InterruptedException e) {
                        story.calls.add("ended at " + Math.round(story.seconds()) + " " + List.of(e.getSuppressed()));
                        throw e;
                    }
                }));
        create();
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("quick", "ended at 6 []");
        assertThat(story.lines(ch.qos.logback.classic.Level.WARN).toString())
                .contains("timed out after 0:00:05")
                .doesNotContain("K4-022");
    }

    /** Alone and without a timeout, it is called by the thread of its handler. */
    @Test
    @Tag("Q12")
    void aStepThatSucceedsAlthoughItsHandlerWasInterruptedIsRecorded() {
        story.start(builder ->
                builder.onCreate("kex", "cre", options -> options.timeout(Duration.ofSeconds(5)), context -> {
                    context.steps().step("vm", String.class).undoable().run(() -> {
                        String made = deaf("vm", 8);
                        Thread.currentThread().interrupt();
                        return made;
                    });
                    story.calls.add("goes on");
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("interrupted", "vm");
        assertThat(story.hasAnnotation("kopf.zalando.org/undo-step.cre.vm")).isTrue();
    }

    @Test
    @Tag("Q12")
    void noStepBeginsAfterTheHandlerWasInterrupted() {
        story.start(builder ->
                builder.onCreate("kex", "cre", options -> options.timeout(Duration.ofSeconds(5)), context -> {
                    context.steps().run("vm", () -> deaf("vm", 8));
                    context.steps().run("late", () -> call("late"));
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("interrupted", "vm");
        assertThat(story.lines(ch.qos.logback.classic.Level.WARN).toString())
                .contains("timed out")
                .doesNotContain("K4-022");
    }

    private OperatorBuilder slowToStop(OperatorBuilder builder) {
        return builder.onCreate("kex", "cre", context -> {
            Steps steps = context.steps();
            steps.all(
                    steps.step("vm").call(() -> deaf("vm", 8)),
                    steps.step("dns").call(() -> slow("dns", 60)));
            return null;
        });
    }

    @Test
    @Tag("Q12")
    void whatStepsMakeWhileTheOperatorStopsIsRecorded() {
        story.start(this::slowToStop);
        create();
        story.stop();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.hasEnded()).isTrue();
        assertThat(record("cre.vm").path("success").asBoolean()).isTrue();
        story.restart(this::slowToStop);
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("interrupted", "vm", "dns");
    }

    @Test
    @Tag("Q12")
    void anOperatorThatStopsWaitsForStepsOnlyAsLongAsForOtherInterruptedHandlers() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            context.steps().run("vm", () -> deaf("vm", 600));
            return null;
        }));
        create();
        story.stop();
        story.pass(Duration.ofSeconds(6));
        assertThat(story.hasEnded()).isFalse();
        story.pass(Duration.ofSeconds(2));
        assertThat(story.hasEnded()).isTrue();
    }

    @Test
    @Tag("Q10")
    void aResultThatTheServerCouldNotTakeIsRecordedLaterAndNotCalledForAgain() {
        AtomicBoolean down = new AtomicBoolean();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws java.io.IOException {
                if (down.get()) {
                    throw new java.io.IOException("no route to host");
                }
            }
        });
        start(context -> {
            context.steps().run("a", () -> {
                down.set(true);
                return call("a");
            });
            context.steps().run("b", () -> call("b"));
            return null;
        });
        create();
        story.pass(Duration.ofSeconds(40));
        assertThat(story.calls).containsExactly("a");
        down.set(false);
        story.pass(Duration.ofMinutes(3));
        assertThat(story.calls).containsExactly("a", "b");
    }

    @Test
    @Tag("Q10")
    void aRecordNeverComesToAnotherObjectOfTheName() {
        start(context -> {
            if (context.uid().equals("uid-x")) {
                context.steps().run("a", () -> {
                    call("a");
                    story.server.delete("x");
                    var other = Scenario.example();
                    other.withObject("/metadata").put("uid", "uid-other");
                    story.server.create(other);
                });
                call("not reached");
            }
            return null;
        });
        create();
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("a");
        assertThat(annotations()).containsExactly(PREFIX + "last-handled-configuration");
    }

    @Test
    @Tag("Q10")
    void aChangeInBetweenIsHandledAfterwardsByStepsOfItsOwn() {
        dev.kopf4j.Handler handler = context -> {
            context.steps().run("size", () -> call("size " + context.spec().getString("field", "")));
            fail(broken.get());
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "cre", handler).onUpdate("kex", "upd", handler));
        create();
        story.server.change("x", "spec.field", "b");
        story.rest();
        broken.set(false);
        story.pass(Duration.ofSeconds(25));
        assertThat(story.calls).containsExactly("size a", "size b");
    }

    @Test
    @Tag("Q10")
    void recordsMayBeInTheStatus() {
        story.start(builder -> builder.settings(
                        settings -> settings.persistence().progressStorage(dev.kopf4j.ProgressStorage.status()))
                .onCreate("kex", "cre", context -> {
                    context.steps().step("vm").undoable().intent().run(() -> call("vm"));
                    story.calls.add(
                            story.at("/status/kopf/progress/cre~1vm/result").asString());
                    assertThat(story.at("/status/kopf/progress/cre~1vm").has("intent"))
                            .isTrue();
                    return null;
                })
                .onUpdate("kex", "upd", story.noting("update")));
        create();
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("vm", "vm-1");
        assertThat(story.at("/status/kopf/progress").isEmpty()).isTrue();
    }

    @Test
    @Tag("Q10")
    void resultsInTheStatusMayHaveFieldsThatAreNull() {
        story.start(builder -> builder.settings(
                        settings -> settings.persistence().progressStorage(dev.kopf4j.ProgressStorage.status()))
                .onCreate("kex", "cre", context -> {
                    Named made = context.steps().step("vm", Named.class).run(() -> new Named(call("vm"), null));
                    story.calls.add(made.toString());
                    return null;
                }));
        create();
        assertThat(story.calls).containsExactly("vm", "Named[id=vm-1, label=null]");
    }

    record Named(
            String id, @org.jspecify.annotations.Nullable String label) {}

    @Test
    @Tag("Q10")
    void aSubHandlerHasStepsOfItsOwn() {
        start(context -> {
            context.steps().run("a", () -> call("a"));
            context.subHandlers().add("sub", inner -> {
                inner.steps().run("b", () -> call("b"));
                return fail(broken.get());
            });
            context.subHandlers().execute();
            context.steps().run("c", () -> call("c"));
            return null;
        });
        create();
        assertThat(record("cre.sub.b").path("result").asString()).isEqualTo("b-1");
        story.kill();
        broken.set(false);
        start(context -> {
            context.steps().run("a", () -> call("a"));
            context.subHandlers().add("sub", inner -> {
                inner.steps().run("b", () -> call("b"));
                return null;
            });
            context.subHandlers().execute();
            context.steps().run("c", () -> call("c"));
            return null;
        });
        story.pass(Duration.ofSeconds(12));
        assertThat(story.calls).containsExactly("a", "b", "c");
        assertThat(annotations())
                .containsExactlyInAnyOrder(
                        PREFIX + "last-handled-configuration",
                        PREFIX + "step-runs.cre",
                        PREFIX + "step-runs.cre._sub-handlers");
    }

    @Test
    @Tag("Q10")
    void handlersWithoutStepsLeaveNothingBehind() {
        start(context -> {
            context.subHandlers().add("sub", inner -> null);
            return null;
        });
        create();
        assertThat(annotations()).containsExactly(PREFIX + "last-handled-configuration");
    }

    @Test
    @Tag("Q10")
    void whereNothingIsRememberedThereAreNoSteps() {
        story.start(builder -> builder.onEvent("kex", "ev", context -> {
            try {
                return context.steps();
            } catch (IllegalStateException e) {
                return story.calls.add(String.valueOf(e.getMessage()));
            }
        }));
        create();
        assertThat(story.calls)
                .isNotEmpty()
                .allMatch(message -> message.startsWith("steps are possible in handlers of changes"));
    }

    @Test
    @Tag("Q10")
    void aPermanentFailureIsRecordedAndMayBeCaught() {
        start(context -> {
            try {
                context.steps().run("a", () -> {
                    call("a");
                    throw new PermanentException("never");
                });
            } catch (PermanentException e) {
                story.calls.add(String.valueOf(e.getMessage()));
            }
            return fail(broken.get());
        });
        create();
        broken.set(false);
        story.pass(Duration.ofSeconds(11));
        assertThat(story.calls).containsExactly("a", "never", "Step 'cre/a' has failed for good: never");
    }

    /** As somebody writes it who knows {@code asyncio.gather}: the first one waited for ever. */
    @Test
    @Tag("Q10")
    void stepsThatThreadsOfTheHandlerMakeAtOneTimeAreRefused() {
        List<String> refusals = new ArrayList<>();
        start(context -> {
            Steps steps = context.steps();
            List<Task> threads = Stream.of("a", "b")
                    .map(each -> story.world.spawn(each, () -> {
                        try {
                            steps.run(each, () -> slow(each, 5));
                        } catch (IllegalStateException e) {
                            refusals.add(String.valueOf(e.getMessage()));
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    }))
                    .toList();
            for (Task each : threads) {
                assertThat(each.join(story.world.after(Duration.ofMinutes(1)))).isTrue();
            }
            steps.run("c", () -> call("c"));
            return null;
        });
        create();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).hasSize(2).last().isEqualTo("c");
        assertThat(refusals).singleElement().asString().contains("a step of 'cre'", "another thread", "steps.all(...)");
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 0 failed.");
    }

    @Test
    @Tag("Q12")
    void twoStepsOfOneIdAreRefused() {
        start(context -> {
            Steps steps = context.steps();
            steps.all(steps.step("a").call(() -> call("a")), steps.step("a").call(() -> call("a")));
            return null;
        });
        create();
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("two steps have the id 'cre/a'");
    }

    /** As somebody writes it who forgets the key: nothing would be made for the second one. */
    @Test
    @Tag("Q12")
    void aStepThatIsMadeTwiceInOneCallIsRefused() {
        start(context -> {
            for (String user : List.of("alice", "bob")) {
                context.steps().run("user", () -> call(user));
            }
            return null;
        });
        create();
        assertThat(story.calls).containsExactly("alice");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("failed permanently", "the step 'cre/user' was already made in this call", "KEY");
    }

    @Test
    @Tag("Q12")
    void whoNamesTheKeyAgainMeansTheSameThing() {
        start(context -> {
            for (String user : List.of("alice", "bob", "alice")) {
                context.steps().run("user", user, () -> call(user));
            }
            return null;
        });
        create();
        assertThat(story.calls).containsExactly("alice", "bob");
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 0 failed.");
    }

    @Test
    @Tag("Q12")
    void aStepThatHasFailedMayBeTriedAgainInTheSameCall() {
        start(context -> {
            try {
                context.steps().run("user", () -> {
                    throw new IllegalStateException("not yet");
                });
            } catch (IllegalStateException e) {
                context.steps().run("user", () -> call("user"));
            }
            return null;
        });
        create();
        assertThat(story.calls).containsExactly("user");
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 0 failed.");
    }

    /** The parent waits for its sub-handlers: a step of its own would wait for it, and so for ever. */
    @Test
    @Tag("Q12")
    void stepsOfTheParentAreRefusedInSubHandlers() {
        start(context -> {
            Steps steps = context.steps();
            context.subHandlers().add("sub", _ -> {
                steps.run("a", () -> call("a"));
                return null;
            });
            context.subHandlers().add("undo", _ -> {
                steps.undo(undo -> {});
                return null;
            });
            context.subHandlers().execute();
            return null;
        });
        create();
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains(
                        "the steps of 'cre' were used in the call of 'cre/sub': take those of that call's own context",
                        "in the call of 'cre/undo'");
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.exists("x")).isFalse();
    }

    /** Each step is in a thread of its own, which enters the span of the call. */
    @Test
    void stepsBesideEachOtherGoOnWithoutSpansIfTracingFails() {
        AtomicInteger entered = new AtomicInteger();
        story.start(builder -> builder.tracing(start -> new FailingSpan(entered))
                .onCreate("kex", "cre", context -> {
                    Steps steps = context.steps();
                    steps.all(
                            steps.step("one").call(() -> call("one")),
                            steps.step("two").call(() -> call("two")));
                    return null;
                }));
        create();
        assertThat(story.calls).containsExactlyInAnyOrder("one", "two");
        assertThat(entered).hasValue(2);
    }

    /** Can be entered once, by the handler itself. */
    private record FailingSpan(AtomicInteger entered) implements Tracing.Span {
        @Override
        public String traceId() {
            return "";
        }

        @Override
        public String spanId() {
            return "";
        }

        @Override
        public Tracing.Scope enter() {
            if (entered.getAndIncrement() > 0) {
                throw new IllegalStateException("no disk");
            }
            return Tracing.Scope.NONE;
        }

        @Override
        public void set(String key, String value) {}

        @Override
        public void set(String key, long value) {}

        @Override
        public void set(String key, double value) {}

        @Override
        public void link(String traceparent) {}

        @Override
        public void fail(String description) {}

        @Override
        public void end(Instant at) {}
    }
}
