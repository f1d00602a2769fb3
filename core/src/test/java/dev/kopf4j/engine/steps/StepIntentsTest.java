package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Steps that are announced before their call: what is done if nobody knows how it has ended. */
class StepIntentsTest extends StepsScenario {
    @Test
    @Tag("Q13")
    void anIntentIsRecordedBeforeTheCallByAPatchOfItsOwn() {
        List<String> before = new ArrayList<>();
        start(context -> {
            context.steps().step("vm").intent().run(() -> {
                before.add(record("cre.vm").toString());
                return call("vm");
            });
            return null;
        });
        create();
        assertThat(before)
                .singleElement()
                .asString()
                .contains("\"intent\":true")
                .contains("\"success\":false");
        assertThat(story.calls).containsExactly("vm");
        assertThat(story.server.patches()).hasSize(3);
    }

    private dev.kopf4j.Handler creatingMachine(boolean intent) {
        return context -> {
            Steps.Step<Object> step = context.steps().step("vm");
            String vm = (String) (intent ? step.intent() : step).run(() -> {
                String made = call("vm");
                if (broken.get()) {
                    story.world.sleep(Duration.ofMinutes(10));
                }
                return made;
            });
            story.calls.add("got " + vm);
            return null;
        };
    }

    @Test
    @Tag("Q13")
    void whoFindsAnIntentWithoutAResultStopsUntilSomebodyAsksForARetry() {
        start(creatingMachine(true));
        create();
        story.kill();
        start(creatingMachine(true));
        story.pass(Duration.ofDays(2));
        story.restart(builder -> builder.onCreate("kex", "cre", creatingMachine(true)));
        assertThat(story.calls).containsExactly("vm");
        assertThat(story.server.events().stream()
                        .map(event -> event.path("reason").asString()))
                .contains("StepInDoubt");
        JsonNode condition = story.at("/status/conditions/0");
        assertThat(condition.path("type").asString()).isEqualTo("StepInDoubt");
        assertThat(condition.path("status").asString()).isEqualTo("True");
        assertThat(condition.path("message").asString())
                .contains("Step 'cre/vm'")
                .contains("retry");

        broken.set(false);
        story.server.annotate("x", PREFIX + "retry", "looked");
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("vm", "vm", "got vm-1");
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("False");
    }

    @Test
    @Tag("Q13")
    void withoutAnIntentTheCallIsMadeOnceMore() {
        start(creatingMachine(false));
        create();
        story.kill();
        broken.set(false);
        start(creatingMachine(false));
        assertThat(story.calls).containsExactly("vm", "vm", "got vm-1");
    }

    @Test
    @Tag("Q13")
    void neitherTimeoutNorRetriesOfTheHandlerEndTheDoubtAndTheRetryMayNameIt() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers = builder -> builder.onCreate(
                "kex", "cre", options -> options.retries(2).timeout(Duration.ofMinutes(1)), creatingMachine(true));
        story.start(handlers);
        create();
        story.kill();
        story.start(handlers);
        story.pass(Duration.ofDays(1));
        assertThat(story.infos()).noneMatch(line -> line.contains("Creation is processed"));
        broken.set(false);
        story.server.annotate("x", PREFIX + "retry", "looked cre");
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("vm", "vm", "got vm-1");
    }

    private dev.kopf4j.Handler recovering(Optional<String> found) {
        return context -> {
            String vm = context.steps()
                    .step("vm", String.class)
                    .recover(() -> {
                        story.calls.add("search");
                        return found;
                    })
                    .run(() -> {
                        String made = call("vm");
                        if (broken.get()) {
                            story.world.sleep(Duration.ofMinutes(10));
                        }
                        return made;
                    });
            story.calls.add("got " + vm);
            return null;
        };
    }

    @Test
    @Tag("Q13")
    void whatAnInterruptedCallHasMadeIsLookedFor() {
        start(recovering(Optional.of("vm-found")));
        create();
        story.kill();
        start(recovering(Optional.of("vm-found")));
        assertThat(story.calls).containsExactly("vm", "search", "got vm-found");
    }

    @Test
    @Tag("Q13")
    @Tag("Q14")
    void theSearchHasTheKeyOfTheInterruptedCall() {
        dev.kopf4j.Handler handler = context -> {
            Steps steps = context.steps();
            steps.step("vm", String.class)
                    .recover(() -> {
                        story.calls.add("search " + steps.idempotencyKey());
                        return Optional.of("vm-found");
                    })
                    .run(() -> {
                        call("order " + steps.idempotencyKey());
                        story.world.sleep(Duration.ofMinutes(10));
                        return "vm-1";
                    });
            return fail(true);
        };
        start(handler);
        create();
        story.kill();
        start(handler);
        String key = story.calls.getFirst().substring("order ".length());
        assertThat(story.calls).containsExactly("order " + key, "search " + key);
        assertThat(record("cre").has("keyGiven")).as("the handler's own key").isFalse();
    }

    @Test
    @Tag("Q13")
    void theCallIsMadeAgainIfNothingIsFound() {
        start(recovering(Optional.empty()));
        create();
        story.kill();
        broken.set(false);
        start(recovering(Optional.empty()));
        assertThat(story.calls).containsExactly("vm", "search", "vm", "got vm-1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("Q13")
    void anyExceptionButATemporaryOneLeavesTheIntent(boolean inAnotherThread) {
        AtomicInteger time = new AtomicInteger();
        start(context -> {
            context.steps().step("vm").intent().run(() -> {
                call("vm");
                if (time.incrementAndGet() == 1) {
                    TemporaryException refused = new TemporaryException("refused", Duration.ofSeconds(1));
                    throw inAnotherThread ? new ExecutionException(refused) : refused;
                }
                throw new java.io.IOException("connection reset");
            });
            return null;
        });
        create();
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("vm", "vm");
        assertThat(story.at("/status/conditions/0/type").asString()).isEqualTo("StepInDoubt");
    }

    /** An update that sends a parcel, and is killed before that has ended. */
    private java.util.function.UnaryOperator<OperatorBuilder> sending(boolean undoable) {
        return builder -> builder.onUpdate("kex", "upd", context -> {
                    Steps.Step<Object> step = context.steps().step("parcel").intent();
                    (undoable ? step.undoable() : step).run(() -> {
                        call("send");
                        story.world.sleep(Duration.ofMinutes(10));
                    });
                    return null;
                })
                .onDelete("kex", "del", context -> {
                    context.steps()
                            .undo(undo -> undo.step("parcel", Void.class, _ -> story.calls.add("drop"))
                                    .recover("parcel", Void.class, _ -> Optional.empty()));
                    return null;
                });
    }

    private void updateUntilKilled(boolean undoable) {
        story.start(sending(undoable));
        create();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(1));
        story.kill();
    }

    private static final String GIVEN_UP = "Handler 'upd' was given up, and nobody knows whether the calls of these"
            + " steps were made: upd/parcel. Look for what they make.";

    private void assertToldOnce() {
        assertThat(story.lines(Level.ERROR))
                .filteredOn(line -> line.contains(GIVEN_UP))
                .hasSize(1);
        assertThat(story.server.events())
                .filteredOn(event -> event.path("message").asString("").equals(GIVEN_UP))
                .singleElement()
                .satisfies(event -> assertThat(event.path("reason").asString()).isEqualTo("StepInDoubt"));
    }

    @Test
    @Tag("Q13")
    void anIntentOfAChangeThatWasUndoneWhileNoOperatorRanIsTold() {
        updateUntilKilled(false);
        story.server.change("x", "spec.field", "a");
        story.start(sending(false));
        story.pass(Duration.ofMinutes(5));
        assertToldOnce();
        assertThat(story.at("/status").has("conditions")).isFalse();
        assertThat(story.hasAnnotation(PREFIX + "upd.parcel")).isFalse();
    }

    @Test
    @Tag("Q13")
    void aDoubtThatWasToldEndsWhenTheChangeIsUndone() {
        updateUntilKilled(false);
        story.start(sending(false));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("True");
        story.server.change("x", "spec.field", "a");
        story.pass(Duration.ofMinutes(5));
        assertToldOnce();
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("False");
        assertThat(story.at("/status/conditions/0/reason").asString()).isEqualTo("GivenUp");
        assertThat(story.at("/status/conditions/0/message").asString()).isEqualTo(GIVEN_UP);
    }

    @Test
    @Tag("Q13")
    void aDoubtThatWasToldEndsWhenNoHandlerIsMeantAnyMore() {
        java.util.function.UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onCreate("kex", "upd", options -> options.labels("size"), context -> {
                            context.steps().step("parcel").intent().run(() -> {
                                call("send");
                                story.world.sleep(Duration.ofMinutes(10));
                            });
                            return null;
                        })
                        .onDelete("kex", "del", context -> null);
        story.start(handlers);
        ObjectNode labelled = Scenario.example();
        labelled.withObject("/metadata/labels").put("size", "big");
        story.server.create(labelled);
        story.pass(Duration.ofSeconds(1));
        story.kill();
        story.start(handlers);
        story.pass(Duration.ofMinutes(5));
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("True");
        story.server.change("x", "metadata.labels.size", null);
        story.pass(Duration.ofMinutes(5));
        assertToldOnce();
        assertThat(story.calls).containsExactly("send");
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("False");
        assertThat(story.at("/status/conditions/0/reason").asString()).isEqualTo("GivenUp");
        assertThat(annotations()).noneMatch(name -> name.startsWith(PREFIX + "upd"));
    }

    @Test
    @Tag("Q13")
    @Tag("Q15")
    void anIntentIsToldBeforeTheDeletion() {
        updateUntilKilled(false);
        story.server.delete("x");
        story.start(sending(false));
        story.pass(Duration.ofSeconds(5));
        assertToldOnce();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q13")
    @Tag("Q15")
    void anIntentThatTheDeletionAsksAboutIsNotTold() {
        updateUntilKilled(true);
        story.server.delete("x");
        story.start(sending(true));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.lines(Level.ERROR)).isEmpty();
        assertThat(story.server.exists("x")).isFalse();
    }
}
