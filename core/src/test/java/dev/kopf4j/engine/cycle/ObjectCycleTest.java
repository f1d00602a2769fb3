package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which handlers are called for what happens to an object, and what the operator stores on it. Tests
 * {@link ObjectCycle}, {@link FinalizerDecision}, {@link ChangeHandling}.
 */
@SuppressWarnings("UnnecessaryLambda") // handlers are what the builder takes
class ObjectCycleTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private UnaryOperator<OperatorBuilder> all() {
        return builder -> builder.onEvent(
                        "kex",
                        "ev",
                        story.saying(context ->
                                "event " + context.eventType().map(Enum::name).orElse("null")))
                .onResume("kex", "res", story.noting("resume"))
                .onCreate("kex", "cre", story.noting("create"))
                .onUpdate("kex", "upd", story.noting("update"))
                .onDelete("kex", "del", story.noting("delete"));
    }

    private List<String> calls(String prefix) {
        return story.calls.stream().filter(call -> call.startsWith(prefix)).toList();
    }

    private List<String> changes() {
        return story.calls.stream().filter(call -> !call.startsWith("event")).toList();
    }

    @Test
    @Tag("C01")
    @Tag("C02")
    @Tag("C03")
    @Tag("C04")
    void anObjectsLife() {
        story.start(all());
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(changes()).containsExactly("create", "update", "delete");
        assertThat(calls("event")).startsWith("event ADDED", "event MODIFIED").endsWith("event DELETED");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("C01")
    @Tag("B01")
    @Tag("C06")
    void listedObjectsHaveNoTypeAndAreResumedOncePerProcess() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onEvent(
                        "kex",
                        "ev",
                        story.saying(context ->
                                "event " + context.eventType().map(Enum::name).orElse("null")))
                .onResume("kex", "res", story.noting("resume")));
        assertThat(story.calls).containsExactly("event null", "resume");
        story.server.change("x", "metadata.labels.l", "1");
        story.server.endWatches();
        story.pass(Duration.ofSeconds(10));
        assertThat(calls("resume")).hasSize(1);
        story.restart(builder -> builder.onResume("kex", "res", story.noting("resume again")));
        assertThat(calls("resume")).containsExactly("resume", "resume again");
    }

    /** A backup that was made while the deletion hung, or an object that was forced away then, and written anew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsOfAnotherDeletionKeepNoHandlerFromItsOwnOne(boolean withFinalizer) {
        story.start(builder -> builder.onCreate("kex", "cre", story.noting("create"))
                .onDelete("kex", "del", story.saying(context -> "delete " + context.retry()))
                .onDelete("kex", "del2", story.saying(context -> "delete2 " + context.retry())));
        ObjectNode copy = Scenario.handled();
        Scenario.annotated(copy, "kopf.zalando.org/del", "{\"purpose\":\"delete\",\"success\":true}");
        Scenario.annotated(copy, "kopf.zalando.org/del2", "{\"purpose\":\"delete\",\"retries\":3}");
        if (withFinalizer) {
            copy.withArray("/metadata/finalizers").add(Scenario.FINALIZER);
        }
        story.server.create(copy);
        story.rest();
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
        assertThat(story.infos())
                .filteredOn(line -> line.contains("not being deleted"))
                .hasSize(1);
        int patches = story.server.patches().size();
        assertThat(patches).isEqualTo(withFinalizer ? 1 : 2);
        story.pass(Duration.ofMinutes(10));
        assertThat(story.server.patches()).hasSize(patches);
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("delete 0", "delete2 0");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("C06")
    void createdObjectsAreNotResumedInTheSameProcess() {
        story.start(all());
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        assertThat(changes()).containsExactly("create");
    }

    @Test
    @Tag("C07")
    void resumingIsMixedIntoUpdatesOfTheDowntimeButNotIntoCreations() {
        story.server.create(Scenario.handled());
        story.server.change("x", "spec.field", "changed");
        story.server.create(Scenario.example("y"));
        story.start(builder -> builder.onResume("kex", "res", story.saying(context -> "resume " + context.name()))
                .onUpdate("kex", "upd", story.saying(context -> "update " + context.name()))
                .onCreate("kex", "cre", story.saying(context -> "create " + context.name())));
        assertThat(story.calls).containsExactlyInAnyOrder("resume x", "update x", "create y");
    }

    /** It is one of the handlers of the update, and as in Kopf its record counts in the next process, too. */
    @Test
    @Tag("C07")
    void whoHasResumedInAnUnfinishedChangeIsNotCalledByTheNextProcess() {
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onResume("kex", "res", story.noting("resume"))
                .onUpdate("kex", "upd", context -> {
                    story.calls.add("update");
                    throw new TemporaryException("not yet", Duration.ofSeconds(20));
                });
        story.server.create(Scenario.handled());
        story.server.change("x", "spec.field", "changed");
        story.start(handlers);
        assertThat(story.calls).containsExactlyInAnyOrder("resume", "update");
        story.restart(handlers);
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).hasSizeGreaterThan(2).containsOnlyOnce("resume");
    }

    @Test
    @Tag("C08")
    void objectsInDeletionAreResumedOnlyIfAskedFor() {
        story.server.create(Scenario.handled());
        story.server.change("x", "metadata.finalizers", List.of(Scenario.FINALIZER));
        story.server.delete("x");
        story.start(builder -> builder.onResume("kex", "no", story.noting("no"))
                .onResume("kex", "yes", h -> h.deleted(), story.noting("deleted too"))
                .onDelete("kex", "del", story.noting("delete")));
        assertThat(story.calls).containsExactly("deleted too", "delete");
    }

    @Test
    void aFinalizerThatNoHandlerTakesOffIsToldOnceForAKind() {
        for (String name : List.of("x", "y")) {
            story.server.create(Scenario.example(name));
            story.server.change(name, "metadata.finalizers", List.of(Scenario.FINALIZER));
        }
        story.start(builder -> builder.onEvent("kex", "ev", story.noting("event")));
        story.server.delete("y");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.lines(Level.WARN)).singleElement().asString().startsWith("warn: K4-024: ");
        assertThat(story.server.exists("y")).isTrue();
        story.restart(builder -> builder.onEvent("kex", "ev", story.noting("event"))
                .onDelete("kex", "del", h -> h.optional(), story.noting("delete")));
        assertThat(story.at("/metadata/finalizers").isEmpty()).isTrue();
        assertThat(story.server.exists("y")).isFalse();
        story.restart(builder -> builder.onEvent("kex", "ev", story.noting("event")));
        assertThat(story.lines(Level.WARN)).hasSize(1);
    }

    @Test
    @Tag("C05")
    @Tag("C12")
    void optionalDeletionsDoNotHoldTheObject() {
        story.start(builder -> builder.onDelete("kex", "del", h -> h.optional(), story.noting("delete")));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.at("/metadata/finalizers").isMissingNode()).isTrue();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).isEmpty();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("C05")
    void optionalDeletionsAreCalledWhereATimerHoldsTheObject() {
        story.start(builder -> builder.onTimer("kex", "tick", h -> h.interval(Duration.ofHours(1)), context -> null)
                .onDelete("kex", "can", h -> h.optional(), story.noting("can")));
        story.server.create(Scenario.example());
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("can");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("C05")
    void optionalDeletionsAreCalledWhereAnotherFinalizerHoldsTheObject() {
        story.server.create(Scenario.handled());
        story.server.change("x", "metadata.finalizers", List.of("other", Scenario.FINALIZER));
        story.start(builder -> builder.onDelete("kex", "must", story.noting("must"))
                .onDelete("kex", "can", h -> h.optional(), story.noting("can")));
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("must", "can");
        assertThat(story.at("/metadata/finalizers").toString()).isEqualTo("[\"other\"]");
    }

    @Test
    @Tag("C12")
    @Tag("D29")
    void finalizersComeBeforeTheFirstHandlerAndGoWithTheLastOne() {
        story.server.create(Scenario.example());
        story.server.change("x", "metadata.finalizers", List.of("a/other"));
        Handler creating = context -> {
            story.calls.add("create with " + context.meta().finalizers());
            return null;
        };
        story.start(builder -> builder.onCreate("kex", "cre", creating)
                .onDelete("kex", "del", h -> h.labels("!free"), story.noting("delete")));
        assertThat(story.calls).containsExactly("create with [a/other, " + Scenario.FINALIZER + "]");
        story.server.change("x", "metadata.labels.free", "yes");
        story.rest();
        assertThat(story.at("/metadata/finalizers").toString()).isEqualTo("[\"a/other\"]");
    }

    @Test
    @Tag("L67")
    void finalizersRemovedByHandDuringDeletionAreNotMissed() {
        story.start(builder -> builder.onDelete("kex", "del", context -> {
            throw new dev.kopf4j.TemporaryException("not yet", Duration.ofSeconds(1));
        }));
        story.server.create(Scenario.handled());
        story.server.change("x", "metadata.finalizers", List.of("other", Scenario.FINALIZER));
        story.rest();
        story.server.delete("x");
        story.rest();
        int patches = story.server.patches().size();
        story.server.change("x", "metadata.finalizers", List.of("other"));
        story.pass(Duration.ofSeconds(30));
        assertThat(story.server.patches().size() - patches).isLessThanOrEqualTo(1);
        assertThat(story.at("/metadata/finalizers").toString()).isEqualTo("[\"other\"]");
        story.server.change("x", "metadata.finalizers", null);
        story.server.delete("x");
        story.pass(Duration.ofSeconds(30));
        assertThat(story.lines(Level.WARN).stream().filter(line -> line.startsWith("warn")))
                .isEmpty();
        assertThat(story.lines(Level.ERROR)).allMatch(line -> line.contains("not yet"));
    }

    @Test
    @Tag("C13")
    @Tag("L26")
    void objectsThatBeginToMatchLaterAreCreatedThen() {
        story.start(builder -> builder.onCreate("kex", "cre", h -> h.labels("on"), story.noting("create"))
                .onUpdate("kex", "upd", h -> h.labels("on"), story.noting("update"))
                .onDelete("kex", "del", h -> h.labels("on"), story.noting("delete")));
        story.server.create(Scenario.example());
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.server.patches()).isEmpty();
        assertThat(story.log.lines(Level.DEBUG)).isEmpty();
        story.server.change("x", "metadata.labels.on", "");
        story.rest();
        assertThat(story.calls).containsExactly("create");
        story.server.change("x", "metadata.labels.on", null);
        story.rest();
        story.server.change("x", "metadata.labels.on", "");
        story.rest();
        assertThat(story.calls).as("it is again as it was handled").containsExactly("create");
        story.server.change("x", "spec.field", "c");
        story.rest();
        assertThat(story.calls).containsExactly("create", "update");
    }

    @Test
    @Tag("C11")
    void whatNobodyIsCalledForIsOnlyLogged() {
        story.start(all());
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "status.any", "thing");
        story.rest();
        story.server.change("x", "metadata.finalizers", List.of("other", Scenario.FINALIZER));
        story.server.delete("x");
        story.rest();
        story.server.change("x", "metadata.finalizers", null);
        story.server.delete("x");
        story.rest();
        assertThat(changes()).containsExactly("delete");
        assertThat(story.log.lines(Level.DEBUG))
                .contains(
                        "debug: Something has changed, but we are not interested (the essence is the same).",
                        "debug: Deletion, but we are done with it, and we do not care.",
                        "debug: Deleted, really deleted, and we are notified.");
    }

    @SuppressWarnings("unused") // found by reflection
    private static final class Pair {
        private final List<String> calls = new ArrayList<>();

        @OnResume("kex")
        @OnCreate("kex")
        void both(String name, dev.kopf4j.Reason reason) {
            calls.add(reason + " " + name);
        }

        @OnUpdate("kex")
        @OnResume("kex")
        void other(String name, dev.kopf4j.Reason reason) {
            calls.add("other " + reason + " " + name);
        }
    }

    @Test
    @Tag("L05")
    @Tag("L06")
    void aMethodWithSeveralAnnotationsIsCalledOncePerOccasion() {
        Pair pair = new Pair();
        story.server.create(Scenario.handled());
        story.server.create(Scenario.example("y"));
        story.start(pair);
        assertThat(pair.calls).containsExactlyInAnyOrder("RESUME x", "other RESUME x", "CREATE y");
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(pair.calls).hasSize(4).last().isEqualTo("other UPDATE x");
        story.server.change("y", "spec.field", "b");
        story.rest();
        assertThat(pair.calls).hasSize(5).last().isEqualTo("other UPDATE y");
    }

    @Test
    @Tag("L06")
    void oneLambdaRegisteredTwiceIsCalledOnce() {
        Handler handler = story.noting("called");
        story.server.create(Scenario.handled());
        story.server.change("x", "spec.field", "b");
        story.start(builder -> builder.onResume("kex", "fn", handler)
                .onUpdate("kex", "fn", handler)
                .onCreate("kex", "fn", handler));
        assertThat(story.calls).containsExactly("called");
    }

    @Test
    @Tag("C20")
    @Tag("C10")
    void fieldsArePartOfIdsAndSoOfResults() {
        story.start(builder -> builder.onCreate("kex", "fn", h -> h.field("spec.field"), context -> "a")
                .onField("kex", "of", h -> h.field("spec.field"), context -> "b")
                .onEvent("kex", "ev", h -> h.field("spec.field"), context -> "c"));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.at("/status"))
                .isEqualTo(Scenario.json("{'ev/spec.field':'c','fn/spec.field':'a','of/spec.field':'b'}"));
    }

    private UnaryOperator<OperatorBuilder> services() {
        return builder -> builder.onUpdate(
                        "kex",
                        "change",
                        h -> h.when(context -> context.spec().has("service")),
                        story.noting("of a service"))
                .onUpdate(
                        "kex",
                        "change",
                        h -> h.when(context ->
                                !context.spec().getString("field", "").equals("b")),
                        story.noting("of another"))
                .onCreate("kex", "cre", story.noting("create"));
    }

    /** As in Python: {@code when=is_service} at one function, {@code when=not_(is_service)} at another of its name. */
    @Test
    @Tag("L17")
    void functionsOfOneIdWhoseFiltersExcludeEachOther() {
        story.start(services());
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.other", 1);
        story.rest();
        story.server.change("x", "spec", Map.of("field", "b", "service", "y"));
        story.rest();
        assertThat(story.calls).containsExactly("create", "of another", "of a service");
    }

    @Test
    @Tag("L17")
    void functionsOfOneIdThatAreBothMeantFailTheObjectInWords() {
        story.start(services());
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.service", "y");
        story.rest();
        assertThat(story.calls).containsExactly("create");
        assertThat(story.lines(Level.ERROR))
                .anyMatch(line -> line.contains("two functions with the id 'change' are both meant for this object"));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("create", "of a service");
    }
}
