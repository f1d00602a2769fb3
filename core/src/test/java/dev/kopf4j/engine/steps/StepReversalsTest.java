package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Reason;
import dev.kopf4j.Steps;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a deletion takes back what steps have made, and what it waits for. */
class StepReversalsTest extends StepsScenario {
    @Test
    @Tag("Q12")
    @Tag("Q15")
    void whatStepsHaveMadeAlthoughTheirHandlerTimedOutIsTakenBack() {
        story.start(builder -> builder.onCreate(
                        "kex", "cre", options -> options.timeout(Duration.ofSeconds(5)), context -> {
                            context.steps()
                                    .step("vm", String.class)
                                    .undoable()
                                    .timeout(Duration.ofMinutes(5))
                                    .run(() -> deaf("vm", 8));
                            return null;
                        })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(10));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("interrupted", "vm", "drop vm-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @ParameterizedTest
    @Tag("Q15")
    @CsvSource({"none, 1", "optional, 1", "holding, 0", "timer, 0"})
    void anUndoableStepOfAnObjectThatGoesAtOnceIsToldOnce(String deletion, int told) {
        story.start(builder -> {
            builder.onCreate("kex", "cre", context -> {
                context.steps().step("vm").key(context.name()).undoable().run(() -> call("vm"));
                return null;
            });
            return switch (deletion) {
                case "optional" -> builder.onDelete("kex", "del", options -> options.optional(), story.noting("del"));
                case "holding" -> builder.onDelete("kex", "del", story.noting("del"));
                case "timer" ->
                    builder.onTimer("kex", "tick", options -> options.interval(Duration.ofHours(1)), story.noting("t"));
                default -> builder;
            };
        });
        create();
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(story.lines(Level.WARN).stream()
                        .filter(line -> line.contains("'cre/vm/x' is undoable, but nothing holds the object")
                                || line.contains("'cre/vm/y' is undoable, but nothing holds the object")))
                .hasSize(told);
    }

    private OperatorBuilder creatingAndUndoing(OperatorBuilder builder) {
        return builder.onCreate("kex", "cre", context -> {
                    Steps steps = context.steps();
                    steps.step("db", String.class).undoable().run(() -> call("db"));
                    steps.step("user").key("alice").undoable().run(() -> call("alice"));
                    steps.run("mail", () -> call("mail"));
                    steps.all(
                            steps.step("dns").undoable().call(() -> call("dns")),
                            steps.step("cert", String.class).undoable().call(() -> slow("cert", 30)));
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps()
                            .undo(undo -> undo.step("db", String.class, id -> story.calls.add("drop " + id))
                                    .step(
                                            "user",
                                            String.class,
                                            (id, key) -> story.calls.add("drop " + id + " of " + key))
                                    .step("cre/dns", String.class, id -> {
                                        story.calls.add("drop " + id);
                                        fail(broken.get());
                                    })
                                    .step("cert", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                });
    }

    /** It has made something, and only a search knows what. */
    @ParameterizedTest
    @Tag("Q15")
    @ValueSource(booleans = {true, false})
    void whatWasMadeThoughItsResultCouldNotBeRecordedIsLookedFor(boolean searched) {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> {
                        story.calls.add("db");
                        return "x".repeat(2000);
                    });
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> {
                        undo.step("db", String.class, id -> story.calls.add("drop " + id));
                        if (searched) {
                            undo.recover("db", String.class, key -> Optional.of("found"));
                        }
                    });
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).isEqualTo(searched ? List.of("db", "drop found") : List.of("db"));
        assertThat(story.server.exists("x")).isEqualTo(!searched);
    }

    @Test
    @Tag("Q15")
    void aReversalThatLeavesAnInterruptBehindIsNotRepeated() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> call("db"));
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps()
                            .undo(undo -> undo.step("db", String.class, id -> {
                                story.calls.add("drop " + id);
                                Thread.currentThread().interrupt();
                            }));
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("db", "drop db-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void stepsAreTakenBackInReverseOrderAsFarAsTheyAreRecorded() {
        story.start(this::creatingAndUndoing);
        create();
        story.pass(Duration.ofSeconds(1));
        story.calls.clear();
        story.kill();
        story.server.delete("x");
        story.start(this::creatingAndUndoing);
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("drop dns-1");
        assertThat(annotations()).contains(PREFIX + "undo-step.cre.dns", PREFIX + "undo-step.cre.db");
        broken.set(false);
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("drop dns-1", "drop dns-1", "drop alice-1 of alice", "drop db-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void whatCanBeTakenBackOutlivesTheHandlingOfTheChange() {
        broken.set(false);
        story.start(this::creatingAndUndoing);
        create();
        story.pass(Duration.ofMinutes(1));
        story.calls.clear();
        story.restart(this::creatingAndUndoing);
        story.server.delete("x");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("drop cert-1", "drop dns-1", "drop alice-1 of alice", "drop db-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void anObjectStaysWhileNobodySaysHowItsStepsAreTakenBack() {
        broken.set(false);
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> call("db"));
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("other", String.class, id -> story.calls.add("drop")));
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(3));
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.calls).containsExactly("db");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("the object remembers the steps 'cre/db', and nobody says how they are taken back");
    }

    @Test
    @Tag("Q15")
    void noLimitOfTheDeletionLetsItGoWhileNobodySaysThat() {
        java.util.function.UnaryOperator<OperatorBuilder> creating =
                builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> call("db"));
                    return null;
                });
        story.start(builder -> creating.apply(builder)
                .onDelete("kex", "del", options -> options.retries(2).timeout(Duration.ofSeconds(20)), context -> {
                    context.steps().undo(undo -> undo.step("other", String.class, id -> story.calls.add("drop")));
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.server.exists("x")).isTrue();
        story.restart(builder -> creating.apply(builder)
                .onDelete("kex", "del", options -> options.retries(2).timeout(Duration.ofSeconds(20)), context -> {
                    context.steps().undo(undo -> undo.step("db", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                }));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("db", "drop db-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void whatADeletionLeavesBehindThatGivesUpIsTold() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> call("db"));
                    context.steps().step("dns", String.class).undoable().run(() -> call("dns"));
                    return null;
                })
                .onDelete("kex", "del", options -> options.retries(2).backoff(Duration.ofSeconds(1)), context -> {
                    context.steps()
                            .undo(undo -> undo.step("dns", String.class, id -> story.calls.add("drop " + id))
                                    .step("db", String.class, id -> {
                                        throw new IllegalStateException("the database is away");
                                    }));
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("what these steps have made stays, as no handler of the deletion has taken it back: cre/db.");
    }

    @Test
    @Tag("Q15")
    void whatIsLeftBehindIsToldOnceWhenAVersionHasNoHandlerOfTheDeletion() {
        broken.set(false);
        story.start(this::creatingAndUndoing);
        create();
        story.pass(Duration.ofMinutes(1));
        AtomicInteger refused = new AtomicInteger();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws java.io.IOException {
                if (request.method().equals("PATCH") && refused.getAndIncrement() < 12) {
                    throw new java.io.IOException("the server is away");
                }
            }
        });
        story.restart(builder -> builder.onCreate("kex", "cre", context -> null));
        story.pass(Duration.ofMinutes(5));
        assertThat(refused.get()).isGreaterThan(12);
        assertThat(story.at("/metadata/finalizers")).isEmpty();
        String left = "what these steps have made stays when the object is deleted, as no handler of the deletion takes"
                + " it back: cre/cert, cre/dns, cre/user/alice, cre/db.";
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).stream().filter(line -> line.contains(left)))
                .hasSize(1);
    }

    private void label(String managed) {
        story.server.change("x", "metadata.labels", Scenario.json("{'managed':'" + managed + "'}"));
        story.pass(Duration.ofSeconds(10));
    }

    /** What is told must not say that nobody ever will. */
    @Test
    @Tag("Q15")
    void anObjectThatTheDeletionsHandlerDoesNotWantAnyMoreMayBeWantedAgain() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db", String.class).undoable().run(() -> call("db"));
                    return null;
                })
                .onDelete("kex", "del", options -> options.labels("managed=yes"), context -> {
                    context.steps().undo(undo -> undo.step("db", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                }));
        broken.set(false);
        create();
        label("yes");
        label("no");
        assertThat(story.at("/metadata/finalizers")).isEmpty();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains(
                        "as long as they do not, nobody takes back at its deletion what these steps have made: cre/db.")
                .doesNotContain("stays when the object is deleted");
        label("yes");
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("db", "drop db-1");
    }

    /** It was waiting for a handler that the next version does not have. */
    @Test
    @Tag("Q15")
    void whatIsLeftBehindIsToldWhenAVersionLetsAWaitingDeletionGo() {
        story.start(this::creatingAndUndoing);
        create();
        story.pass(Duration.ofMinutes(1));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.server.exists("x")).isTrue();
        story.restart(builder -> builder.onCreate("kex", "cre", context -> null));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains(
                        "what these steps have made stays, as no handler of the deletion has taken it back: cre/dns,");
    }

    /** Another version of the operator has recorded it. */
    @Test
    @Tag("Q15")
    void noLimitOfTheDeletionLetsItGoWhileNobodyReadsWhatIsRecorded() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            context.steps().step("db", Database.class).undoable().run(() -> new Database(call("db"), 3));
            return null;
        }));
        create();
        story.restart(builder -> deletingBy(builder, String.class));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("the result of the step 'cre/db' does not fit String")
                .contains("this waits for a version of the operator that reads what is recorded");
        story.restart(builder -> deletingBy(builder, Database.class));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("db", "drop Database[id=db-1, size=3]");
        assertThat(story.server.exists("x")).isFalse();
    }

    private <T> OperatorBuilder deletingBy(OperatorBuilder builder, Class<T> type) {
        return builder.onDelete("kex", "del", options -> options.retries(2), context -> {
            context.steps().undo(undo -> undo.step("db", type, database -> story.calls.add("drop " + database)));
            return null;
        });
    }

    @Test
    @Tag("Q10")
    void noLimitEndsAHandlerWhileNobodyReadsWhatIsRecorded() {
        story.start(builder -> creatingBy(builder, Database.class, () -> new Database(call("db"), 3)));
        create();
        broken.set(false);
        story.restart(builder -> creatingBy(builder, String.class, () -> call("text")));
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("db", "user of Database[id=db-1, size=3]");
        assertThat(annotations()).doesNotContain(Scenario.LAST_HANDLED);
        story.restart(builder -> creatingBy(builder, Database.class, () -> new Database(call("db"), 3)));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls)
                .containsExactly("db", "user of Database[id=db-1, size=3]", "user of Database[id=db-1, size=3]");
        assertThat(annotations()).contains(Scenario.LAST_HANDLED);
    }

    private <T> OperatorBuilder creatingBy(OperatorBuilder builder, Class<T> type, Steps.Call<T> call) {
        return builder.onCreate("kex", "cre", options -> options.retries(3), context -> {
            Steps.Step<T> database = context.steps().step("db", type).call(call);
            context.steps().all(database);
            context.steps().step("user").retries(3).run(() -> {
                story.calls.add("user of " + database.result());
                return fail(broken.get());
            });
            return null;
        });
    }

    /** A creation that has failed for good after it had made something is made again. */
    @Test
    @Tag("Q15")
    void whatEachRunHasMadeIsTakenBack() {
        AtomicInteger made = new AtomicInteger();
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    Steps steps = context.steps();
                    steps.step("db", String.class).undoable().run(() -> "db-" + made.incrementAndGet());
                    steps.step("vm", String.class).undoable().intent().run(() -> "vm-" + (made.get() + 1) / 2);
                    if (made.get() < 3) {
                        throw new PermanentException("no");
                    }
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps()
                            .undo(undo -> undo.step("db", String.class, id -> story.calls.add("drop " + id))
                                    .step("vm", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                }));
        create();
        for (String token : List.of("one", "two")) {
            story.server.annotate("x", PREFIX + "retry", token);
            story.pass(Duration.ofSeconds(2));
        }
        assertThat(annotations()).contains(Scenario.LAST_HANDLED, PREFIX + "undo-step.cre.db._2");
        story.server.delete("x");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("drop vm-2", "drop db-3", "drop vm-1", "drop db-2", "drop db-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    private OperatorBuilder watching(OperatorBuilder builder) {
        return builder.onDaemon("kex", "watch", context -> {
                    context.steps().step("vm", String.class).undoable().run(() -> slow("vm", 30));
                    context.stopped().await();
                    story.calls.add("stops");
                    context.steps().step("late", String.class).undoable().run(() -> call("late"));
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                });
    }

    @Test
    @Tag("Q15")
    @Tag("Q16")
    void theDeletionWaitsForTheStepOfADaemonAndTakesItBack() {
        story.start(this::watching);
        create();
        story.pass(Duration.ofSeconds(5));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).isEmpty();
        assertThat(story.server.exists("x")).isTrue();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).contains("drop vm-1").doesNotContain("late");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR)).isEmpty();
    }

    /** It has a task of its own then, and ignores that it is interrupted. */
    @Test
    @Tag("Q15")
    @Tag("Q16")
    void theDeletionTakesBackWhatAnInterruptedStepWithATimeoutHasMade() {
        story.start(builder -> builder.onDaemon(
                        "kex",
                        "watch",
                        options -> options.cancellationBackoff(Duration.ofSeconds(1))
                                .cancellationTimeout(Duration.ofMinutes(1)),
                        context -> {
                            context.steps()
                                    .step("vm", String.class)
                                    .undoable()
                                    .timeout(Duration.ofMinutes(5))
                                    .run(() -> deaf("vm", 30));
                            context.stopped().await();
                            return null;
                        })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id)));
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(5));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("interrupted", "vm", "drop vm-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    @Tag("Q16")
    void whatTheServerCouldNotTakeOfSuchAStepIsWrittenLater() {
        AtomicInteger refused = new AtomicInteger();
        story.start(this::watching);
        create();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws java.io.IOException {
                if (request.method().equals("PATCH")
                        && new String(request.body(), java.nio.charset.StandardCharsets.UTF_8).contains("undo-step.")
                        && refused.getAndIncrement() < 2) {
                    throw new java.io.IOException("the server is away");
                }
            }
        });
        story.pass(Duration.ofSeconds(5));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(5));
        assertThat(refused.get()).isGreaterThan(2);
        assertThat(story.calls).contains("drop vm-1").doesNotContain("late");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void aDeletionStopsAtAnIntentWithoutAResultUntilSomebodyHasLooked() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onCreate("kex", "cre", context -> {
                            context.steps().step("db").undoable().intent().run(() -> {
                                call("db");
                                story.world.sleep(Duration.ofMinutes(10));
                            });
                            return null;
                        })
                        .onDelete("kex", "del", context -> {
                            context.steps().undo(undo -> undo.step("db", Void.class, id -> story.calls.add("drop")));
                            return null;
                        });
        story.start(handlers);
        create();
        story.kill();
        story.server.delete("x");
        story.start(handlers);
        story.pass(Duration.ofDays(2));
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.at("/status/conditions/0/message").asString()).contains("cannot be taken back");
        story.server.annotate("x", PREFIX + "retry", "looked");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.calls).containsExactly("db");
    }

    @Test
    @Tag("Q15")
    void whatAnInterruptedCallHasMadeIsLookedForBeforeItIsTakenBack() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onCreate("kex", "cre", context -> {
                            context.steps()
                                    .step("db")
                                    .key("k")
                                    .undoable()
                                    .intent()
                                    .run(() -> {
                                        call("db");
                                        story.world.sleep(Duration.ofMinutes(10));
                                    });
                            return null;
                        })
                        .onDelete("kex", "del", context -> {
                            context.steps()
                                    .undo(undo -> undo.step("db", String.class, id -> story.calls.add("drop " + id))
                                            .recover("db", String.class, key -> Optional.of("found " + key)));
                            return null;
                        });
        story.start(handlers);
        create();
        story.kill();
        story.server.delete("x");
        story.start(handlers);
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("db", "drop found k");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q13")
    @Tag("Q15")
    void aDeletionWaitsForNoRetryOfAStepInDoubtAlthoughItsHandlerIsOneWithTheUpdates() {
        dev.kopf4j.Handler handler = context -> {
            Steps steps = context.steps();
            if (context.reason() == Reason.DELETE) {
                steps.undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id)));
                return null;
            }
            steps.step("vm", String.class).undoable().run(() -> call("vm"));
            steps.step("parcel").intent().run(() -> {
                call("parcel");
                story.world.sleep(Duration.ofMinutes(10));
            });
            return null;
        };
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onUpdate("kex", "one", handler).onDelete("kex", "one", handler);
        story.start(handlers);
        create();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(1));
        story.kill();
        story.start(handlers);
        story.pass(Duration.ofMinutes(1));
        assertThat(record("one").path("delayed").asString("")).startsWith("21");
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("vm", "parcel", "drop vm-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q14")
    @Tag("Q15")
    void theSearchOfTheDeletionHasTheKeyOfTheInterruptedCall() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onUpdate("kex", "upd", context -> {
                            Steps steps = context.steps();
                            String key = context.spec().getString("field", "");
                            steps.step("vm").key(key).undoable().intent().run(() -> {
                                String made = call("order " + key + " " + steps.idempotencyKey());
                                if (key.equals("c")) {
                                    story.world.sleep(Duration.ofMinutes(10));
                                }
                                return made;
                            });
                            return null;
                        })
                        .onDelete("kex", "del", context -> {
                            Steps steps = context.steps();
                            steps.undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id))
                                    .recover("vm", String.class, key -> {
                                        story.calls.add("search " + key + " " + steps.idempotencyKey());
                                        return Optional.of("found");
                                    }));
                            return null;
                        });
        story.start(handlers);
        create();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(1));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(1));
        story.kill();
        story.server.delete("x");
        story.start(handlers);
        story.pass(Duration.ofSeconds(2));
        String first = story.calls.getFirst();
        String ordered = story.calls.get(1);
        assertThat(ordered).startsWith("order c ");
        assertThat(story.calls)
                .containsExactly(
                        first, ordered, ordered.replace("order", "search"), "drop found", "drop " + first + "-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void whatWasCertainlyNotMadeIsNotTakenBack() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    context.steps().step("db").undoable().intent().run(() -> fail(true));
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("db", Void.class, id -> story.calls.add("drop")));
                    return null;
                }));
        create();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(2));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.calls).isEmpty();
    }

    @Test
    @Tag("Q12")
    @Tag("Q15")
    void anIntentOfAnEarlierRunIsNotForgottenWhenTheStepIsMadeAgain() {
        AtomicInteger made = new AtomicInteger();
        dev.kopf4j.Handler order = context -> {
            context.steps().step("vm", String.class).undoable().intent().run(() -> {
                story.calls.add("order vm-" + made.incrementAndGet());
                if (made.get() == 1) {
                    throw new java.io.IOException("connection reset");
                }
                return "vm-" + made.get();
            });
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "sync", options -> options.retries(1), order)
                .onUpdate("kex", "sync", options -> options.retries(1), order)
                .onDelete("kex", "del", context -> {
                    context.steps()
                            .undo(undo -> undo.step("vm", String.class, id -> story.calls.add("drop " + id))
                                    .recover("vm", String.class, key -> Optional.of("vm-1")));
                    return null;
                }));
        create();
        assertThat(story.lines(Level.ERROR))
                .anyMatch(line -> line.contains("nobody knows") && line.contains("sync/vm"));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(5));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("order vm-1", "order vm-2", "drop vm-2", "drop vm-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void noLimitOfAParentLetsTheObjectGoWhileNobodyReadsWhatItsSubHandlerHasToTakeBack() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            context.steps().step("db", Database.class).undoable().run(() -> new Database("db-1", 3));
            return null;
        }));
        create();
        story.restart(builder -> deletingBySubHandler(builder, String.class));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(30));
        assertThat(story.server.exists("x")).isTrue();
        story.restart(builder -> deletingBySubHandler(builder, Database.class));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.calls).containsExactly("drop Database[id=db-1, size=3]");
    }

    private <T> OperatorBuilder deletingBySubHandler(OperatorBuilder builder, Class<T> type) {
        return builder.onDelete("kex", "del", options -> options.retries(3).timeout(Duration.ofMinutes(5)), context -> {
            context.subHandlers().add("tidy", inner -> {
                inner.steps().undo(undo -> undo.step("db", type, found -> story.calls.add("drop " + found)));
                return null;
            });
            context.subHandlers().execute();
            return null;
        });
    }

    @Test
    @Tag("Q15")
    void eachOfTwoHandlersOfTheDeletionTakesBackWhatItDeclares() {
        story.start(builder -> makingAndUndoing(makingAndUndoing(builder, "database"), "record"));
        create();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactlyInAnyOrder("drop database-1", "drop record-1");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q15")
    void whatNoneOfSeveralHandlersDeclaresHoldsTheObject() {
        story.start(builder -> makingAndUndoing(builder, "database").onCreate("kex", "other", context -> {
            context.steps().run("plain", () -> "");
            context.steps().step("record", String.class).undoable().run(() -> "record-1");
            return null;
        }));
        create();
        story.restart(builder -> makingAndUndoing(builder, "database").onDelete("kex", "farewell", context -> null));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("drop database-1");
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.lines(Level.ERROR))
                .last()
                .asString()
                .contains("other/record")
                .doesNotContain("make-database/database");
    }

    private OperatorBuilder makingAndUndoing(OperatorBuilder builder, String what) {
        return builder.onCreate("kex", "make-" + what, context -> {
                    context.steps().step(what, String.class).undoable().run(() -> what + "-1");
                    return null;
                })
                .onDelete("kex", "undo-" + what, context -> {
                    context.steps().undo(undo -> undo.step(what, String.class, id -> story.calls.add("drop " + id)));
                    return null;
                });
    }

    @Test
    @Tag("Q15")
    void theFurtherMarkOfAKeyIsNotThatOfAnother() {
        dev.kopf4j.Handler handler = context -> {
            String field = context.spec().getString("field", "");
            for (String key : List.of("x", "x._1")) {
                context.steps().step("s").key(key).undoable().run(() -> field + " of " + key);
            }
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "cre", handler)
                .onUpdate("kex", "cre", handler)
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("s", String.class, id -> story.calls.add(id)));
                    return null;
                }));
        create();
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(1));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(1));
        assertThat(story.calls).hasSize(4).contains("c of x", "c of x._1").doesNotHaveDuplicates();
    }
}
