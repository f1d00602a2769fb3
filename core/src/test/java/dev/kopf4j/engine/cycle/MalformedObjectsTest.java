package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.cycle.OperatorCycles.UnpackedStates;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects on which people or other programs have left nonsense are handled, and others do not suffer. Tests
 * {@link ObjectProcessor}.
 */
@SuppressWarnings("UnnecessaryLambda") // handlers are what the builder takes
class MalformedObjectsTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private UnaryOperator<OperatorBuilder> handlers() {
        return builder -> builder.onCreate("kex", "cre", story.saying(c -> "create " + c.name()))
                .onUpdate("kex", "upd", story.saying(c -> "update " + c.name()));
    }

    @ParameterizedTest
    @Tag("D15")
    @Tag("D17")
    @ValueSource(
            strings = {
                "",
                "garbage",
                "null",
                "[]",
                "7",
                "{\"started\":\"yesterday\",\"retries\":\"many\",\"success\":\"no\"}",
                "{\"retries\":-1,\"subrefs\":{\"a\":1},\"delayed\":{}}",
                "{\"retries\":1e300,\"purpose\":[\"create\"],\"message\":{}}",
                "{\"new-field\":{\"of\":[\"a newer version\"]},\"retries\":0}",
                "{\"purpose\":\"unheard-of\",\"retries\":0}",
                "{\"started\":\"9999-12-31T23:59:59.999999+00:00\",\"retries\":0}",
                "{\"retries\":0"
            })
    void progressThatWasEditedByHandDoesNotHinderTheHandler(String record) {
        story.server.create(Scenario.annotated(Scenario.example("x"), "kopf.zalando.org/cre", record));
        story.server.create(Scenario.example("y"));
        story.start(handlers());
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactlyInAnyOrder("create x", "create y");
        assertThat(story.hasAnnotation("kopf.zalando.org/cre")).isFalse();
        assertThat(story.lines(Level.ERROR)).isEmpty();
        boolean odd = !record.equals("null") && !record.contains("\"retries\":0}");
        assertThat(story.lines(Level.WARN).stream()
                        .distinct()
                        .filter(line ->
                                line.contains("annotation kopf.zalando.org/cre of KopfExample ns/x cannot be read")))
                .as("warnings about %s", record)
                .matches(warnings -> warnings.isEmpty() != odd);
    }

    @ParameterizedTest
    @Tag("D12")
    @ValueSource(
            strings = {
                "",
                "garbage",
                "null",
                "[]",
                "\"text\"",
                "{\"spec\":",
                "{\"kopf4j-gzip\":\"AAAA\"}",
                "{\"kopf4j-gzip\":\"?\"}"
            })
    void aLastHandledStateThatCannotBeReadIsNone(String state) {
        story.server.create(Scenario.annotated(Scenario.example("x"), Scenario.LAST_HANDLED, state));
        story.server.create(Scenario.example("y"));
        story.start(handlers());
        assertThat(story.calls).containsExactlyInAnyOrder("create x", "create y");
        assertThat(story.at("/metadata/annotations/kopf.zalando.org~1last-handled-configuration")
                        .asString())
                .isEqualTo("{\"spec\":{\"field\":\"a\"}}\n");
        assertThat(story.lines(Level.ERROR)).isEmpty();
        assertThat(story.lines(Level.WARN).isEmpty()).isEqualTo(state.equals("null"));
    }

    /** In two kilobytes; a heap of 256 MB has room for one of them at a time. */
    private static ObjectNode withLargeState(String name) {
        return Scenario.annotated(Scenario.example(name), Scenario.LAST_HANDLED, largeState());
    }

    private static String largeState() {
        ObjectNode patch = Json.object();
        new AnnotationsDiffBaseStorage(
                        new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX),
                        "last-handled-configuration",
                        List.of(),
                        true)
                .store(Scenario.example(), patch, Scenario.json("{'spec':[" + "[],".repeat(400_000) + "0]}"));
        return patch.path("metadata")
                .path("annotations")
                .path(Scenario.LAST_HANDLED)
                .asString();
    }

    private Handler lasting(Duration duration) {
        return context -> {
            story.calls.add("begins " + context.name());
            story.world.sleep(duration);
            story.calls.add("ends " + context.name());
            return null;
        };
    }

    @Test
    void largeStatesOfManyObjectsAreUnpackedOneAfterTheOther() {
        story.start(builder -> builder.onUpdate("kex", "upd", lasting(Duration.ofSeconds(10))));
        List.of("1", "2", "3").forEach(name -> story.server.create(withLargeState(name)));
        story.pass(Duration.ofSeconds(5));
        story.server.create(Scenario.annotated(Scenario.example("small"), Scenario.LAST_HANDLED, "{\"spec\":1}"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls.subList(0, 3)).containsExactly("begins 1", "begins small", "ends 1");
        story.calls.removeIf(call -> call.endsWith("small"));
        assertThat(story.calls).containsExactly("begins 1", "ends 1", "begins 2", "ends 2", "begins 3", "ends 3");
        assertThat(story.lines(Level.INFO)).anyMatch(line -> line.contains("The handling waits"));
    }

    /** More of them than there are workers at work. */
    @Test
    void whoWaitsForRoomForAStateKeepsNobodyElseFromBeingHandled() {
        story.start(builder -> builder.onUpdate("kex", "upd", lasting(Duration.ofMinutes(10))));
        String large = largeState();
        IntStream.range(0, 45)
                .mapToObj(i -> Scenario.annotated(Scenario.example("large" + i), Scenario.LAST_HANDLED, large))
                .forEach(story.server::create);
        story.pass(Duration.ofSeconds(5));
        story.server.create(Scenario.annotated(Scenario.example("small"), Scenario.LAST_HANDLED, "{\"spec\":1}"));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("begins large0", "begins small");
    }

    @Test
    void daemonsOfDeletedObjectsStopWhileTheseWaitForRoomForTheirStates() {
        story.start(builder -> builder.onUpdate("kex", "upd", lasting(Duration.ofMinutes(10)))
                .onDaemon("kex", "dmn", h -> h.labels("daemon=yes"), context -> {
                    context.stopped().await();
                    story.calls.add("stops " + context.stopped().reasons());
                    return null;
                }));
        ObjectNode object = Scenario.example("x");
        object.withObject("/metadata/labels").put("daemon", "yes");
        story.server.create(object);
        story.rest();
        story.server.create(withLargeState("other"));
        story.pass(Duration.ofSeconds(5));
        ObjectNode metadata =
                story.server.object("x").withObject("/metadata").put("deletionTimestamp", "2024-01-01T00:00:00Z");
        metadata.withObject("/annotations").put(Scenario.LAST_HANDLED, largeState());
        story.server.change("x", "metadata", metadata);
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("begins other", "stops [RESOURCE_DELETED]");
        assertThat(story.lines(Level.INFO)).anyMatch(line -> line.contains("The handling waits"));
        story.pass(Duration.ofMinutes(10));
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    void whoWaitsForRoomForAStateStopsWithTheOperator() {
        story.start(builder -> builder.onUpdate("kex", "upd", lasting(Duration.ofSeconds(4))));
        List.of("1", "2").forEach(name -> story.server.create(withLargeState(name)));
        story.pass(Duration.ofSeconds(2));
        story.stop();
        assertThat(story.hasEnded()).isTrue();
        assertThat(story.calls).startsWith("begins 1").doesNotContain("begins 2");
    }

    /** Who is interrupted while it waits lets those behind it go on. */
    @Test
    void roomForStatesIsTakenInTurn() {
        UnpackedStates room = new UnpackedStates(story.world, 10_000_000);
        hold("all", 100_000_000, room);
        Task given = hold("given up", 100_000_000, room);
        hold("half", 5_000_000, room);
        hold("other half", 5_000_000, room);
        hold("more", 1_000_000, room);
        hold("small", 1000, room);
        story.world.runFor(Duration.ofMillis(500));
        given.interrupt();
        story.world.runFor(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("0 all", "0 small", "1 half", "1 other half", "2 more");
    }

    private Task hold(String name, long bytes, UnpackedStates room) {
        Task task = story.world.spawn(name, () -> {
            try (UnpackedStates.Share _ = room.take(bytes, () -> 0, () -> {})) {
                story.calls.add(
                        Duration.between(Scenario.START, story.world.now()).toSeconds() + " " + name);
                story.world.sleep(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        story.world.runFor(Duration.ZERO);
        return task;
    }

    /** The others wait where they are little: as bytes in queues. */
    @Test
    void othersWorkWhileObjectsWaitForRoomAsLongAsTheseKeepLittleMemory() {
        UnpackedStates room = new UnpackedStates(story.world, 10_000_000);
        hold("all", 10_000_000, room);
        List.of(4, 2, 1).forEach(megabytes -> {
            story.world.spawn(
                    "worker",
                    () -> LongWaitSignal.runListening(
                            new LongWaitSignal.Listener() {
                                @Override
                                public void begins() {
                                    story.calls.add("others instead of " + megabytes);
                                }

                                @Override
                                public void ends() {
                                    story.calls.add("no others instead of " + megabytes);
                                }
                            },
                            () -> {
                                try (UnpackedStates.Share _ =
                                        room.take(10_000_000, () -> megabytes * 1_000_000, () -> {})) {
                                    story.calls.add("turn of " + megabytes);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }));
            story.world.runFor(Duration.ZERO);
        });
        story.world.runFor(Duration.ofMinutes(1));
        assertThat(story.calls)
                .containsExactly(
                        "0 all",
                        "others instead of 4",
                        "others instead of 1",
                        "no others instead of 4",
                        "turn of 4",
                        "turn of 2",
                        "no others instead of 1",
                        "turn of 1");
    }

    /** Only the operator has a reason to write it, but whoever may change the object can. */
    @ParameterizedTest
    @CsvSource({"50000, 0, true", "50, 14000, true", "50, 5000, false"})
    @Timeout(60)
    void whatARetryHasLeftCostsLittleWhateverIsWrittenThere(int lists, int handlers, boolean tooLong) {
        ObjectNode seen = Scenario.json("{'base':'','handlers':[],'state':{'spec':{'a':[]}}}");
        IntStream.range(0, handlers).forEach(i -> seen.withArray("handlers").add("no" + i));
        IntStream.range(0, lists).forEach(_ -> seen.withArray("/state/spec/a").addArray());
        seen.withArray("handlers").add("cre");
        story.server.create(Scenario.annotated(Scenario.example("x"), "kopf.zalando.org/retry-seen", Json.text(seen)));
        story.server.create(Scenario.example("y"));
        story.start(handlers());
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactlyInAnyOrder("create x", "create y");
        assertThat(story.hasAnnotation("kopf.zalando.org/retry-seen")).isFalse();
        assertThat(story.lines(Level.ERROR)).isEmpty();
        assertThat(story.lines(Level.WARN).isEmpty()).isEqualTo(!tooLong);
    }

    @Test
    @Tag("D12")
    void aLastHandledStateOfAnotherShapeIsAChange() {
        story.server.create(Scenario.annotated(
                Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":[1],\"metadata\":\"text\",\"more\":null}"));
        story.start(handlers());
        assertThat(story.calls).containsExactly("update x");
    }

    @ParameterizedTest
    @Tag("C39")
    @Tag("C14")
    @ValueSource(
            strings = {
                "{'labels':{'app':1,'flag':true,'none':null,'map':{'a':1}}}",
                "{'labels':'text','annotations':[1,2]}",
                "{'labels':null,'annotations':null,'finalizers':null}",
                "{'finalizers':'text','ownerReferences':'x','managedFields':7}",
                "{'creationTimestamp':'yesterday'}"
            })
    void metadataOfWrongTypesIsTakenForWhatItIs(String metadata) {
        ObjectNode odd = Scenario.example();
        odd.withObject("/metadata").setAll(Scenario.json(metadata));
        story.server.create(odd);
        story.server.create(Scenario.example("y"));
        story.start(builder -> handlers()
                .apply(builder)
                .onEvent("kex", "ev", h -> h.labels("app=1").annotations("!any"), story.saying(c -> "labelled")));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).contains("create y");
        if (odd.at("/metadata/annotations").isArray()) {
            // No API server has such objects; whatever becomes of it, the others do not suffer.
            return;
        }
        assertThat(story.calls).contains("create x");
        assertThat(story.calls.contains("labelled")).isEqualTo(metadata.contains("'app'"));
    }

    @Test
    @Tag("C20")
    @Tag("D08")
    void idsMayHaveSlashes() {
        assertHandledUnderIds(List.of("a/b/c", "a.b", "fn.<locals>.inner", "a_".repeat(60)), builder -> builder);
    }

    @Test
    @Tag("C20")
    void idsMayHaveSpacesAndUnicodeInTheStatus() {
        assertHandledUnderIds(
                List.of("a/b/c", "grüße/日本", "with space", "🦄".repeat(40), "a.b", "<locals>"),
                MalformedObjectsTest::withProgressInTheStatus);
    }

    private static OperatorBuilder withProgressInTheStatus(OperatorBuilder builder) {
        return builder.settings(s -> s.persistence().progressStorage(dev.kopf4j.ProgressStorage.status()));
    }

    private void assertHandledUnderIds(List<String> ids, UnaryOperator<OperatorBuilder> settings) {
        story.start(given -> {
            OperatorBuilder builder = settings.apply(given);
            for (String id : ids) {
                builder.onCreate("kex", id, story.saying(c -> c.retry() + c.handlerId()));
            }
            return builder;
        });
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).isEqualTo(ids.stream().map(id -> "0" + id).toList());
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("C33")
    void resultsUnderOddIdsAreKeptApart() {
        story.start(builder -> withProgressInTheStatus(builder)
                .onCreate("kex", "a/b.c", context -> "dotted")
                .onCreate("kex", "日本", context -> "unicode"));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.at("/status")).isEqualTo(Scenario.json("{'a/b.c':'dotted','日本':'unicode'}"));
    }

    @Test
    @Tag("C14")
    @Tag("L09")
    void absurdFiltersAreNobodysBusiness() {
        story.start(builder -> handlers()
                .apply(builder)
                .onCreate("kex", "never", h -> h.labels("a,!a").annotations("b=1", "b=2"), story.saying(c -> "never"))
                .onCreate(
                        "kex",
                        "nor",
                        h -> h.field(List.of("spec", "field", "deeper", "than", "text")),
                        story.noting("nor"))
                .onCreate("kex", "no", h -> h.field("metadata.labels.a.b.c"), story.noting("no")));
        ObjectNode object = Scenario.example();
        object.withObject("/metadata/labels").put("a", "b");
        story.server.create(object);
        story.rest();
        assertThat(story.calls).containsExactly("create x");
    }

    @Test
    @Tag("B09")
    void objectsOfAMegabyteAreHandledIfTheirStateIsKeptElsewhere() {
        story.start(builder -> handlers()
                .apply(builder.settings(s -> s.persistence()
                        .diffBaseStorage(
                                dev.kopf4j.DiffBaseStorage.annotations().ignoring("data")))));
        ObjectNode object = Scenario.example();
        ObjectNode data = object.putObject("data");
        for (int i = 0; i < 1000; i++) {
            data.put("key" + i, "ä\n\"".repeat(200));
        }
        story.server.create(object);
        story.server.create(Scenario.example("y"));
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactlyInAnyOrder("create x", "create y", "update x");
    }

    @Test
    @Tag("D03")
    void specsThatAreNoMappingsAreEssentialAllTheSame() {
        ObjectNode object = Scenario.example();
        object.put("spec", "text");
        story.start(handlers());
        story.server.create(object);
        story.rest();
        story.server.change("x", "spec", List.of(1, 2));
        story.rest();
        assertThat(story.calls).containsExactly("create x", "update x");
    }

    @Test
    @Tag("C28")
    void specsThatDoNotFitTheirTypeFailTheHandlerForGood() {
        story.start(builder -> builder.handlers(Typed.class));
        ObjectNode object = Scenario.example();
        object.withObject("/spec").put("size", "large");
        story.server.create(object);
        story.rest();
        assertThat(story.infos())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("error: Handler 'fn' failed permanently: ")
                .contains("size", "large");
    }

    record Sized(int size) {}

    @SuppressWarnings("unused") // found by reflection
    private static final class Typed {
        private Typed() {}

        @dev.kopf4j.OnCreate("kex")
        static void fn(Sized spec) {}
    }
}
