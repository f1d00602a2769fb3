package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Body;
import dev.kopf4j.Handler;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Resource;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left alone while somebody has paused an object, and what comes after that. */
class PauseTest extends InterventionScenario {
    private OperatorBuilder all(OperatorBuilder builder) {
        return builder.onEvent("kex", "ev", story.noting("event"))
                .onCreate("kex", "cre", story.noting("create"))
                .onUpdate(
                        "kex",
                        "upd",
                        story.saying(context -> "update " + context.diff().items()))
                .onDelete("kex", "del", story.noting("delete"))
                .onTimer("kex", "tick", options -> options.interval(Duration.ofSeconds(10)), story.noting("tick"));
    }

    private List<String> callsWithoutEvents() {
        return story.calls.stream().filter(call -> !call.equals("event")).toList();
    }

    @Test
    @Tag("Q01")
    void aPausedObjectIsLeftAloneUntilItIsResumedAndThenHandledAsItIs() {
        story.start(this::all);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "true");
        assertThat(annotation("pause-acknowledged")).isEqualTo("true");
        story.calls.clear();

        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(1));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).isEmpty();

        annotate("paused", null);
        assertThat(annotation("pause-acknowledged")).isEmpty();
        assertThat(callsWithoutEvents())
                .containsExactlyInAnyOrder(
                        "tick", "update [Item[op=CHANGE, field=[spec, field], oldValue=a, newValue=c]]");
        assertThat(story.server.events().stream()
                        .map(event -> event.path("reason").asString()))
                .contains("Paused", "Resumed");
    }

    /** Below a prefix that is the users' own domain, the annotation may have been theirs before. */
    @ParameterizedTest
    @Tag("Q01")
    @ValueSource(strings = {"false", "No", "OFF", "0", "", " "})
    void aWordThatSaysNoPausesNothing(String word) {
        story.start(this::all);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", word);
        assertThat(annotation("pause-acknowledged")).isEmpty();
        story.calls.clear();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(callsWithoutEvents()).anyMatch(call -> call.startsWith("update"));
    }

    @Test
    @Tag("Q01")
    void eachTransitionIsMeasuredOnce() {
        List<String> transitions = new ArrayList<>();
        UnaryOperator<OperatorBuilder> measured = builder -> all(builder).metricsListener(new MetricsListener() {
            @Override
            public void handlingPaused(Resource resource, boolean paused) {
                transitions.add(resource.plural() + (paused ? " paused" : " resumed"));
            }
        });
        story.start(measured);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "true");
        annotate("paused", "all");
        story.server.change("x", "spec.field", "b");
        story.restart(measured);
        assertThat(transitions).containsExactly("kopfexamples paused");
        annotate("paused", null);
        assertThat(transitions).containsExactly("kopfexamples paused", "kopfexamples resumed");
    }

    @Test
    @Tag("Q01")
    void theDeletionOfAPausedObjectGoesOn() {
        story.start(this::all);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "true");
        story.server.delete("x");
        story.rest();
        assertThat(callsWithoutEvents()).endsWith("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q01")
    void theDeletionWaitsIfAllIsPaused() {
        story.start(this::all);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "all");
        assertThat(annotation("pause-acknowledged")).isEqualTo("all");
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(callsWithoutEvents()).doesNotContain("delete");
        assertThat(story.server.exists("x")).isTrue();
        annotate("paused", "true");
        assertThat(callsWithoutEvents()).endsWith("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    /** Fails three times, with a minute in between, and does not know anything of pauses. */
    private Handler patient(String what) {
        return context -> {
            story.calls.add(what + " " + context.retry());
            if (context.retry() < 3) {
                throw new TemporaryException("wait", Duration.ofMinutes(1));
            }
            return null;
        };
    }

    private OperatorBuilder patient(OperatorBuilder builder) {
        Duration limit = Duration.ofMinutes(10);
        return builder.onCreate("kex", "cre", options -> options.timeout(limit), patient("create"))
                .onTimer("kex", "tick", options -> options.timeout(limit), patient("tick"))
                .onDelete("kex", "del", options -> options.timeout(limit), patient("delete"));
    }

    /** While its handlers wait for their retries. */
    private void createAndPauseFor(Duration time) {
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(80));
        annotate("paused", "true");
        story.pass(time);
    }

    private void resume() {
        annotate("paused", null);
        story.pass(Duration.ofMinutes(5));
    }

    private void expectPatience(String... handlers) {
        assertThat(story.calls)
                .containsExactlyInAnyOrderElementsOf(Stream.of(handlers)
                        .flatMap(each -> IntStream.range(0, 4).mapToObj(attempt -> each + " " + attempt))
                        .toList());
        story.calls.clear();
    }

    @Test
    @Tag("Q01")
    @Tag("C32")
    void aPauseIsNoTimeThatHandlersUse() {
        story.start(this::patient);
        createAndPauseFor(Duration.ofHours(1));
        resume();
        expectPatience("create", "tick");

        story.server.delete("x");
        story.pass(Duration.ofSeconds(80));
        annotate("paused", "all");
        story.pass(Duration.ofHours(1));
        annotate("paused", null);
        assertThat(story.server.exists("x")).isTrue();
        story.pass(Duration.ofMinutes(5));
        expectPatience("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("Q01")
    @Tag("Q02")
    void aRetryThatIsAskedForInAPauseDoesNotMakeItTime() {
        story.start(builder ->
                builder.onCreate("kex", "cre", options -> options.timeout(Duration.ofMinutes(10)), patient("create")));
        createAndPauseFor(Duration.ofHours(1));
        annotate("retry", "now");
        story.pass(Duration.ofMinutes(1));
        resume();
        expectPatience("create");
    }

    @Test
    @Tag("Q01")
    @Tag("Q11")
    void aPauseIsNoTimeThatStepsUse() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            context.steps()
                    .step("dns")
                    .timeout(Duration.ofMinutes(5))
                    .run(() -> patient("create").handle(context));
            return null;
        }));
        createAndPauseFor(Duration.ofHours(1));
        resume();
        expectPatience("create");
    }

    @Test
    @Tag("C32")
    void theTimeWithoutAnOperatorIsNoTimeThatHandlersUse() {
        UnaryOperator<OperatorBuilder> handlers = builder ->
                builder.onCreate("kex", "cre", options -> options.timeout(Duration.ofMinutes(5)), patient("create"));
        story.start(handlers);
        story.server.create(Scenario.example());
        for (int day = 0; day < 3; day++) {
            story.pass(Duration.ofSeconds(80)).stop();
            story.world.runFor(Duration.ofDays(1));
            story.restart(handlers);
        }
        expectPatience("create");
    }

    @Test
    @Tag("Q01")
    void anObjectIsPausedFromTheStartAndAcrossRestarts() {
        story.server.create(Scenario.annotated(Scenario.example(), PREFIX + "paused", "true"));
        story.start(this::all);
        story.pass(Duration.ofMinutes(1));
        story.restart(this::all);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).isEmpty();
        annotate("paused", "false");
        assertThat(callsWithoutEvents()).contains("create", "tick");
    }

    @Test
    @Tag("Q01")
    void whatRunsMayEndAndItsResultIsWritten() {
        story.start(builder -> builder.onCreate("kex", "slow", context -> {
            story.calls.add("begun");
            story.world.sleep(Duration.ofSeconds(30));
            story.calls.add("ended");
            return "result";
        }));
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "true");
        assertThat(annotation("pause-acknowledged")).isEmpty();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("begun", "ended");
        assertThat(story.at("/status/slow").asString()).isEqualTo("result");
        assertThat(annotation("pause-acknowledged")).isEqualTo("true");
    }

    private Handler slow(String what) {
        return context -> {
            story.calls.add(what);
            story.world.sleep(Duration.ofSeconds(8));
            return null;
        };
    }

    @ParameterizedTest
    @Tag("Q01")
    @ValueSource(booleans = {false, true})
    void whatFollowsInTheSameCycleDoesNotBegin(boolean below) {
        List<String> ids = List.of("a", "b", "c", "d", "e");
        story.start(builder -> {
            builder.onTimer("kex", "tick", options -> options.interval(Duration.ofSeconds(5)), story.noting("tick"));
            if (below) {
                return builder.onCreate("kex", "cre", context -> {
                    ids.forEach(id -> context.subHandlers().add(id, slow(id)));
                    return null;
                });
            }
            ids.forEach(id -> builder.onCreate("kex", id, slow(id)));
            return builder;
        });
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(12));
        assertThat(called()).contains("a", "b", "tick").doesNotContain("c");
        annotate("paused", "true");
        story.pass(Duration.ofSeconds(6));
        assertThat(called()).contains("c");
        story.pass(Duration.ofMinutes(2));
        assertThat(called()).isEmpty();
        assertThat(annotation("pause-acknowledged")).isEqualTo("true");
        annotate("paused", null);
        story.pass(Duration.ofMinutes(1));
        assertThat(called()).contains("tick", "d", "e").doesNotContain("a", "b", "c");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }

    @Test
    @Tag("Q01")
    void noSubHandlerBeginsIfThePauseComesBeforeTheFirst() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            slow("parent").handle(context);
            context.steps().run("step", () -> story.calls.add("step"));
            List.of("a", "b").forEach(id -> context.subHandlers().add(id, slow(id)));
            context.subHandlers().execute();
            story.calls.add("end");
            return null;
        }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(2));
        annotate("paused", "true");
        story.pass(Duration.ofMinutes(2));
        assertThat(called()).containsExactly("parent", "step");
        annotate("paused", null);
        story.pass(Duration.ofMinutes(2));
        assertThat(called()).contains("a", "b", "end");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }

    @Test
    @Tag("Q01")
    void aTimerThatIsHeldBackDoesNotBeginAsItsObjectIsDeleted() {
        story.start(this::all);
        story.server.create(Scenario.example());
        story.rest();
        annotate("paused", "true");
        story.pass(Duration.ofMinutes(1));
        story.calls.clear();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(callsWithoutEvents()).containsExactly("delete");
    }

    @Test
    @Tag("Q01")
    void theSettingTurnsItOff() {
        story.server.create(Scenario.annotated(Scenario.example(), PREFIX + "paused", "true"));
        story.start(builder -> builder.settings(settings -> settings.execution().pauseAndRetry(false))
                .onCreate("kex", "cre", story.noting("create")));
        assertThat(story.calls).containsExactly("create");
        assertThat(annotation("pause-acknowledged")).isEmpty();
    }

    @Test
    @Tag("Q01")
    void conditionsTellOfAPauseWhereTheyTellOfChildren() {
        try (Scenario parents = new Scenario(true)) {
            parents.start(builder -> builder.onReconcile(
                    "kex",
                    "children",
                    options -> options.children("kopfexamples").condition("ChildrenReady"),
                    context -> null));
            parents.server.create(Scenario.example());
            parents.rest();
            parents.server.annotate("x", PREFIX + "paused", "true");
            parents.rest();
            assertThat(parents.at("/status/conditions").valueStream()).anySatisfy(condition -> {
                assertThat(condition.path("type").asString()).isEqualTo("Paused");
                assertThat(condition.path("status").asString()).isEqualTo("True");
            });
            parents.server.annotate("x", PREFIX + "paused", null);
            parents.rest();
            assertThat(parents.at("/status/conditions").valueStream()).anySatisfy(condition -> {
                assertThat(condition.path("type").asString()).isEqualTo("Paused");
                assertThat(condition.path("status").asString()).isEqualTo("False");
            });
        }
    }

    /** It needs no right to write, and the printed roles give it none. */
    public static final class OnlyEvents {
        private final List<String> calls;

        OnlyEvents(List<String> calls) {
            this.calls = calls;
        }

        @OnEvent("kex")
        void ev(Body body) {
            calls.add(body.spec().requireString("field"));
        }
    }

    @Test
    @Tag("Q01")
    void whoOnlyHearsOfEventsObeysAPauseAndWritesNothing() {
        List<String> writes = new ArrayList<>();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                if (!request.method().equals("PATCH") || !request.path().contains("kopfexamples")) {
                    return null;
                }
                writes.add(request.path());
                return FakeApiServer.status(403, "Forbidden", "no right");
            }
        });
        story.start(new OnlyEvents(story.calls));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(called()).containsExactly("a");
        annotate("paused", "true");
        edit("spec.field", "b");
        assertThat(called()).isEmpty();
        annotate("paused", null);
        assertThat(called()).containsExactly("b");
        edit("spec.field", "c");
        assertThat(called()).containsExactly("c");
        assertThat(writes).isEmpty();
        assertThat(story.lines(Level.INFO).stream().filter(line -> line.contains("The handling")))
                .hasSize(2);
    }
}
