package dev.kopf4j.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where operators keep progress and last-handled states, by the settings. Tests {@link StorageFactory} and
 * {@link StorageLocations}.
 */
class StorageFactoryTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    /** Fails once and succeeds later; and an update handler that shows whether the object is taken for changed. */
    private UnaryOperator<OperatorBuilder> handlers(Consumer<OperatorSettings.Persistence> settings) {
        return builder -> builder.settings(all -> settings.accept(all.persistence()))
                .onCreate("kex", "cre", context -> {
                    story.calls.add("create " + context.retry());
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                })
                .onUpdate("kex", "upd", story.noting("update"));
    }

    private void playWith(Consumer<OperatorSettings.Persistence> settings, Consumer<ObjectNode> whileDelayed) {
        story.start(handlers(settings));
        story.server.create(Scenario.example());
        story.rest();
        whileDelayed.accept(story.server.object("x"));
        story.pass(Duration.ofSeconds(20));
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("create 0", "create 1", "update");
    }

    /** As a Python operator may have set it. */
    @Test
    @Tag("D13")
    void whatIsTakenOverFromTheStatusMayHaveOtherNames() {
        story.start(handlers(settings -> settings.progressStorage(ProgressStorage.smart(
                ProgressStorage.annotations().withPrefix("p.example.com").withoutV1(),
                ProgressStorage.status("own")))));
        ObjectNode example = Scenario.example();
        example.withObject("/status/own/progress/cre").put("purpose", "create").put("retries", 3);
        story.server.create(example);
        story.rest();
        assertThat(story.calls).containsExactly("create 3");
        assertThat(story.at("/status/own/progress").propertyNames()).isEmpty();
    }

    @Test
    @Tag("D18")
    @Tag("D13")
    void theStatusCanKeepEverything() {
        playWith(
                settings -> settings.progressStorage(ProgressStorage.status("own"))
                        .diffBaseStorage(DiffBaseStorage.status("own")),
                object -> assertThat(
                                object.at("/status/own/progress/cre/retries").asInt())
                        .isEqualTo(1));
        assertThat(story.at("/status/own/last-handled-configuration").asString())
                .isEqualTo("{\"spec\":{\"field\":\"b\"}}");
        assertThat(story.at("/metadata/annotations").isMissingNode()).isTrue();
    }

    @Test
    @Tag("D24")
    @Tag("D07")
    @Tag("D15")
    void annotationsHaveTheChosenPrefixNamesAndFields() {
        String id = "x".repeat(50);
        story.start(builder -> builder.settings(s -> s.persistence()
                        .finalizer("op.example.com/finalizer")
                        .progressStorage(ProgressStorage.annotations()
                                .withPrefix("p.example.com")
                                .withoutV1()
                                .withEmptyFields())
                        .diffBaseStorage(DiffBaseStorage.annotations()
                                .withPrefix("d.example.com")
                                .withKey("state")))
                .onDelete("kex", "del", context -> null)
                .onCreate("kex", id, context -> {
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.at("/metadata/finalizers").toString()).isEqualTo("[\"op.example.com/finalizer\"]");
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder("p.example.com/" + id, "p.example.com/kopf-managed");
        assertThat(story.at("/metadata/annotations/p.example.com~1" + id).asString())
                .contains("\"stopped\":null");
        story.pass(Duration.ofSeconds(20));
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder(
                        "p.example.com/kopf-managed", "d.example.com/state", "d.example.com/kopf-managed");
    }

    @Test
    @Tag("D05")
    void changesOfIgnoredFieldsAreNone() {
        story.start(handlers(settings -> settings.diffBaseStorage(DiffBaseStorage.annotations()
                .ignoring("spec.noise")
                .ignoring(List.of("metadata", "labels", "x.io/noise")))));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.noise", 1);
        ObjectNode object = story.server.object("x");
        object.withObject("/metadata/labels").put("x.io/noise", "1");
        story.server.change("x", "metadata.labels", dev.kopf4j.json.Json.toJava(object.at("/metadata/labels")));
        story.rest();
        assertThat(story.calls).isEmpty();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("update");
    }

    @Test
    @Tag("D05")
    void fieldsAreIgnoredByTheirKeysInTheStatusToo() {
        story.start(handlers(settings -> settings.diffBaseStorage(DiffBaseStorage.status()
                .ignoring("spec.noise")
                .ignoring(List.of("metadata", "labels", "x.io/noise")))));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(20));
        story.calls.clear();
        story.server.change("x", "metadata.labels", Map.of("x.io/noise", "1"));
        story.rest();
        assertThat(story.calls).isEmpty();
        story.server.change("x", "metadata.labels", Map.of("x.io/other", "1"));
        story.rest();
        assertThat(story.calls).containsExactly("update");
    }

    @Test
    @Tag("D19")
    @Tag("D14")
    @Tag("L65")
    void movingFromOneStorageToAnotherHandlesNothingAgain() {
        ProgressStorage oldProgress = ProgressStorage.annotations().withPrefix("old.example.com");
        ProgressStorage newProgress = ProgressStorage.status("new");
        DiffBaseStorage oldBase = DiffBaseStorage.annotations().withPrefix("old.example.com");
        DiffBaseStorage newBase = DiffBaseStorage.status("new");
        List<Consumer<OperatorSettings.Persistence>> steps = List.of(
                s -> s.progressStorage(oldProgress).diffBaseStorage(oldBase),
                s -> s.progressStorage(ProgressStorage.multi(newProgress, oldProgress))
                        .diffBaseStorage(DiffBaseStorage.multi(newBase, oldBase)),
                s -> s.progressStorage(newProgress).diffBaseStorage(newBase));
        story.start(handlers(steps.get(0)));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(20));
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(story.calls).containsExactly("create 0", "create 1", "create 0");
        story.restart(handlers(steps.get(1)));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("create 0", "create 1", "create 0", "create 1");
        // The states move with the next change of each object.
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).hasSize(5).last().isEqualTo("update");
        story.restart(handlers(steps.get(2)));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).hasSize(5);
        for (String name : List.of("x", "y")) {
            story.server.change(name, "spec.field", "c");
        }
        story.rest();
        assertThat(story.calls).hasSize(7).endsWith("update", "update");
    }

    /**
     * What steps have made, and what people ask for, is known in each of the places, and moves with the next change.
     */
    @ParameterizedTest
    @Tag("Q01")
    @Tag("Q02")
    @Tag("Q15")
    @ValueSource(booleans = {true, false})
    void whatStepsHaveMadeAndWhatPeopleAskForMovesWithTheProgress(boolean intoStatus) {
        ProgressStorage old = ProgressStorage.annotations().withPrefix("old.example.com");
        ProgressStorage next = intoStatus
                ? ProgressStorage.status("new")
                : ProgressStorage.annotations().withPrefix("new.example.com");
        String prefix = intoStatus ? "kopf.zalando.org/" : "new.example.com/";
        story.start(steps(old));
        for (String name : List.of("x", "y", "z")) {
            story.server.create(Scenario.example(name));
        }
        story.rest();
        story.server.annotate("x", "old.example.com/retry", "t1 cre");
        story.server.annotate("z", "old.example.com/paused", "true");
        story.rest();
        assertThat(story.calls).containsExactly("made", "made", "made", "made");
        story.calls.clear();

        story.restart(steps(ProgressStorage.multi(next, old)));
        story.server.delete("y");
        for (String name : List.of("x", "z")) {
            story.server.change(name, "spec.field", "b");
        }
        story.rest();
        assertThat(story.calls).containsExactlyInAnyOrder("drop", "update x");
        assertThat(story.server.exists("y")).isFalse();
        assertThat(annotation("z", prefix + "pause-acknowledged")).isEqualTo("true");
        story.server.annotate("x", prefix + "retry", "t2 upd");
        story.server.annotate("z", "old.example.com/paused", null);
        story.rest();
        assertThat(story.calls).containsExactlyInAnyOrder("drop", "update x", "update x", "update z");
        assertThat(annotation("x", prefix + "retry-acknowledged")).isEqualTo("t2");
        assertThat(annotation("z", prefix + "pause-acknowledged")).isEmpty();
        assertThat(annotation("z", "old.example.com/pause-acknowledged")).isEmpty();
        story.calls.clear();

        story.restart(steps(next));
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("drop", "drop");
    }

    /** Below the default prefix may stand what another operator is asked for. */
    @ParameterizedTest
    @Tag("Q01")
    @CsvSource({
        "annotations status, a.dev",
        "annotations annotations status, a.dev b.dev",
        "status annotations, kopf.zalando.org a.dev",
        "status status, kopf.zalando.org",
        "status, kopf.zalando.org",
        "'', kopf.zalando.org"
    })
    void aPlaceWithoutAnnotationsHasTheDefaultPrefixOnlyIfItIsPreferred(String places, String prefixes) {
        List<String> left = new ArrayList<>(List.of("a.dev", "b.dev"));
        OperatorSettings settings = new OperatorSettings();
        settings.persistence()
                .progressStorage(ProgressStorage.multi(Stream.of(places.split(" ", -1))
                        .filter(place -> !place.isEmpty())
                        .map(place -> place.equals("status")
                                ? ProgressStorage.status()
                                : ProgressStorage.annotations().withPrefix(left.removeFirst()))
                        .toArray(ProgressStorage[]::new)));
        assertThat(Interventions.of(settings).prefixes()).containsExactly(prefixes.split(" ", -1));
    }

    /** Each call of the creation makes something else. */
    private UnaryOperator<OperatorBuilder> steps(ProgressStorage progress) {
        return builder -> builder.settings(all -> all.persistence().progressStorage(progress))
                .onCreate("kex", "cre", context -> {
                    context.steps().step("vm", Integer.class).undoable().run(() -> {
                        story.calls.add("made");
                        return story.calls.size();
                    });
                    return null;
                })
                .onUpdate("kex", "upd", story.saying(context -> "update " + context.name()))
                .onDelete("kex", "del", context -> {
                    context.steps().undo(undo -> undo.step("vm", Integer.class, _ -> story.calls.add("drop")));
                    return null;
                });
    }

    private String annotation(String name, String annotation) {
        return story.server
                .object(name)
                .path("metadata")
                .path("annotations")
                .path(annotation)
                .asString("");
    }

    /** A database of one's own, beside the cluster. */
    private static class Database implements ProgressStorage.Custom, DiffBaseStorage.Custom {
        final Map<String, Map<String, Object>> records = new LinkedHashMap<>();
        final Map<String, Map<String, Object>> states = new LinkedHashMap<>();
        final List<String> calls = new ArrayList<>();

        private static String uid(Map<String, Object> body) {
            return ((Map<?, ?>) java.util.Objects.requireNonNull(body.get("metadata"))).get("uid") + "";
        }

        @Override
        public @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body) {
            return records.get(uid(body) + " " + handlerId);
        }

        @Override
        public Map<String, Object> store(String handlerId, Map<String, Object> record, Map<String, Object> body) {
            calls.add("store " + handlerId);
            records.put(uid(body) + " " + handlerId, record);
            return Map.of();
        }

        @Override
        public Map<String, Object> purge(String handlerId, Map<String, Object> body) {
            calls.add("purge " + handlerId);
            records.remove(uid(body) + " " + handlerId);
            return Map.of();
        }

        @Override
        public Map<String, ? extends @Nullable Object> touch(Map<String, Object> body, @Nullable String value) {
            Map<String, @Nullable Object> removed = new LinkedHashMap<>();
            removed.put("mark", value);
            return body.containsKey("mark") ? removed : Map.of();
        }

        @Override
        public void flush() {
            calls.add("flush");
        }

        @Override
        public @Nullable Map<String, Object> fetch(Map<String, Object> body) {
            return states.get(uid(body));
        }

        @Override
        public Map<String, Object> store(Map<String, Object> essence, Map<String, Object> body) {
            states.put(uid(body), essence);
            return Map.of("status", Map.of("handled", true), "spec", Map.of("handled", essence.hashCode()));
        }

        @Override
        public Map<String, Object> clear(Map<String, Object> essence) {
            Map<String, Object> cleared = new LinkedHashMap<>(essence);
            Map<Object, Object> spec = new LinkedHashMap<>((Map<?, ?>) cleared.getOrDefault("spec", Map.of()));
            spec.remove("handled");
            cleared.remove("mark");
            cleared.put("spec", spec);
            return cleared;
        }
    }

    @Test
    @Tag("D23")
    @Tag("L66")
    void ownStoragesWorkOnPlainMaps() {
        Database database = new Database();
        playWith(settings -> settings.progressStorage(database).diffBaseStorage(database), object -> {
            assertThat(object.path("metadata").has("annotations")).isFalse();
            assertThat(database.records).containsOnlyKeys("uid-x cre");
            assertThat(database.records.get("uid-x cre"))
                    .containsEntry("retries", 1)
                    .containsEntry("purpose", "create")
                    .containsEntry("delayed", "2020-01-01T00:00:10.500000+00:00");
        });
        assertThat(database.records).isEmpty();
        assertThat(database.states).isEqualTo(Map.of("uid-x", Map.of("spec", Map.of("field", "b"))));
        assertThat(story.at("/status/handled").asBoolean()).isTrue();
        assertThat(database.calls)
                .startsWith("store cre", "flush", "purge cre", "purge upd", "flush")
                .endsWith("flush");
    }

    @Test
    @Tag("D23")
    void ownStoragesRemoveMarksAndWhatTheyKeepIsNoChange() {
        Database database = new Database();
        story.start(handlers(settings -> settings.progressStorage(database).diffBaseStorage(database)));
        ObjectNode marked = Scenario.example();
        marked.put("mark", "2020-01-01T00:00:00");
        story.server.create(marked);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.patches().getFirst().body().path("mark").isNull())
                .isTrue();
        assertThat(story.at("/mark").isMissingNode()).isTrue();
        assertThat(story.at("/spec/handled").isInt()).isTrue();
        assertThat(story.calls).containsExactly("create 0", "create 1");
    }

    @Test
    @Tag("D23")
    void eachOwnStorageClearsTheEssenceOfWhatItKeeps() {
        Database database = new Database();
        ObjectNode essence = Scenario.json("{'mark':1,'spec':{'handled':2,'field':'a'}}");
        ObjectNode cleared = Scenario.json("{'spec':{'field':'a'}}");
        assertThat(StorageFactory.progress(database, "p").clear(essence)).isEqualTo(cleared);
        assertThat(StorageFactory.diffBase(database, "p").build(essence, List.of()))
                .isEqualTo(cleared);
    }

    @Test
    @Tag("D23")
    void whatOwnStoragesReturnIsReadAsFarAsItCanBeAndTheRestIsTold() {
        Database database = new Database();
        database.records.put("uid-x fn", Map.of("retries", "many", "purpose", "create"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.objects")) {
            ProgressRecord read = StorageFactory.progress(database, "p").fetch("fn", Scenario.example());
            assertThat(read)
                    .extracting(ProgressRecord::retries, ProgressRecord::purpose)
                    .containsExactly(0, "create");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("storage " + Database.class.getName() + " under fn", "retries is no count: \"many\"");
        }
    }

    @Test
    @Tag("D21")
    @Tag("D24")
    void theMarkOfKopfMayHaveAnyName() {
        story.start(handlers(settings ->
                settings.progressStorage(ProgressStorage.annotations().withTouchKey("woken"))));
        story.server.create(Scenario.annotated(Scenario.example(), "kopf.zalando.org/woken", "2020-01-01T00:00:00"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("D24")
    void thePrefixOfTheSettingsIsThatOfAllAnnotations() {
        story.start(handlers(settings -> settings.prefix("op.example.com")));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder("op.example.com/cre", "op.example.com/kopf-managed");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder("op.example.com/last-handled-configuration", "op.example.com/kopf-managed");
    }

    @Test
    @Tag("D24")
    void theChosenFinalizerHoldsAndReleasesObjectsAndOthersStay() {
        story.start(builder -> builder.settings(s -> s.persistence().finalizer("op.example.com/finalizer"))
                .onDelete("kex", "del", story.noting("deleted")));
        ObjectNode object = Scenario.example();
        object.withArray("/metadata/finalizers").add("theirs").add(Scenario.FINALIZER);
        story.server.create(object);
        story.rest();
        assertThat(story.at("/metadata/finalizers").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder("theirs", Scenario.FINALIZER, "op.example.com/finalizer");
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("deleted");
        assertThat(story.at("/metadata/finalizers").valueStream().map(JsonNode::asString))
                .containsExactly("theirs", Scenario.FINALIZER);
    }

    @Test
    void refusesAStorageWithoutAField() {
        assertThatThrownBy(() -> ProgressStorage.status().withField(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a storage needs the keys of a field, such as \"status.kopf\", not []");
        assertThatThrownBy(() -> ProgressStorage.status().withTouchField("status..touch"))
                .hasMessageEndingWith("not [status, , touch]");
        assertThatThrownBy(() -> DiffBaseStorage.status().withField(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("D24")
    void fieldsOfTheStatusMayBeAnywhere() {
        story.start(handlers(settings -> settings.progressStorage(
                        ProgressStorage.status().withField("status.a.b").withTouchField("status.c"))
                .diffBaseStorage(DiffBaseStorage.status().withField(List.of("status", "d.e")))));
        ObjectNode object = Scenario.example();
        object.withObject("/status").put("c", "mark");
        story.server.create(object);
        story.rest();
        assertThat(story.at("/status/a/b/cre/retries").asInt()).isEqualTo(1);
        assertThat(story.at("/status/c").isMissingNode()).isTrue();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.at("/status/d.e").asString()).isEqualTo("{\"spec\":{\"field\":\"a\"}}");
    }

    @Test
    @Tag("L66")
    void errorsOfOwnStoragesThrottleTheObjectAlone() {
        boolean[] down = {true};
        Database database = new Database() {
            @Override
            public @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body) {
                if (down[0] && Database.uid(body).equals("uid-x")) {
                    throw new IllegalStateException("the database is down");
                }
                return super.fetch(handlerId, body);
            }
        };
        story.start(builder -> builder.settings(s -> s.persistence().progressStorage(database))
                .onCreate("kex", "cre", story.saying(HandlerContext::name)));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("y");
        assertThat(story.lines(Level.ERROR))
                .hasSizeBetween(2, 5)
                .allMatch(line -> line.contains("Throttling for") && line.contains("the database is down"));
        down[0] = false;
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("y", "x");
    }

    @Test
    @Tag("D24")
    void whatIsRememberedIsWrittenWhereTheRestIsRefused() {
        story.server.refuse("status.refused");
        story.start(builder -> builder.settings(s -> s.persistence()
                        .progressStorage(ProgressStorage.status("own"))
                        .diffBaseStorage(DiffBaseStorage.annotations().withPrefix("d.example.com")))
                .onCreate("kex", "refused", story.saying(context -> {
                    context.patch().status().set("refused", 1);
                    return "called";
                })));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("called");
        assertThat(story.hasAnnotation("d.example.com/last-handled-configuration"))
                .isTrue();
        assertThat(story.at("/status/refused").isMissingNode()).isTrue();
        assertThat(story.lines(Level.ERROR)).hasSize(1);
    }

    /**
     * All that is left of the progress goes with the finalizer. What the status has of "smart" is an older operator's.
     */
    @ParameterizedTest
    @Tag("D18")
    @Tag("D24")
    @CsvSource({
        "annotations, 1",
        "annotations, 3",
        "status, 1",
        "status, 3",
        "own, 1",
        "own, 3",
        "multi, 1",
        "multi, 3",
        "smart, 1",
        "smart, 3"
    })
    void deletionsEndWhateverIsStoredOfTheirHandlers(String place, int number) {
        ProgressStorage store = switch (place) {
            case "annotations" -> ProgressStorage.annotations();
            case "status" -> ProgressStorage.status();
            case "own" -> ProgressStorage.status("a").withField("status.a.b.c");
            case "multi" -> ProgressStorage.multi(ProgressStorage.annotations(), ProgressStorage.status());
            default -> ProgressStorage.smart();
        };
        UnaryOperator<OperatorBuilder> handlers = builder -> {
            OperatorBuilder all = builder.settings(s -> s.persistence().progressStorage(store));
            for (int i = 0; i < number; i++) {
                String id = "del" + i;
                all = all.onDelete("kex", id, context -> {
                    story.calls.add(id + " " + context.retry());
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                });
            }
            return all;
        };
        story.start(handlers);
        ObjectNode object = Scenario.handled();
        object.withObject("/metadata").putArray("finalizers").add("example.com/other");
        story.server.create(object);
        story.rest();
        story.kill();
        if (place.equals("smart")) {
            Map<String, Object> records = new LinkedHashMap<>();
            for (int i = 0; i < number; i++) {
                records.put("del" + i, Map.of("purpose", "delete", "retries", 1));
            }
            story.server.change("x", "status.kopf.progress", records);
        }
        story.server.delete("x");
        story.start(handlers);
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactlyInAnyOrderElementsOf(Stream.of("0", "1")
                        .filter(retry -> !place.equals("smart") || retry.equals("1"))
                        .flatMap(retry -> IntStream.range(0, number).mapToObj(i -> "del" + i + " " + retry))
                        .toList());
        assertThat(story.at("/metadata/finalizers").toString()).isEqualTo("[\"example.com/other\"]");
        assertThat(story.server.object("x").toString()).doesNotContain("purpose");
        assertThat(story.lines(Level.ERROR)).noneMatch(line -> line.contains("K4-020"));
    }

    private static ObjectNode large(int bytes) {
        ObjectNode object = Scenario.example();
        object.withObject("/spec/files").put("big", "a".repeat(bytes));
        return object;
    }

    @Test
    void objectsWhoseStateDoesNotFitAreRefusedOnceAndLoudly() {
        story.start(handlers(settings -> {}));
        story.server.create(large(300_000));
        story.rest();
        story.server.change("x", "metadata.labels.l", "1");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).isEmpty();
        assertThat(story.server.patches()).isEmpty();
        assertThat(story.lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("error: The object is not handled: no handler of its creation and changes is called. ")
                .contains(
                        "Kubernetes allows 262144", "spec.files.big (300002 bytes)", "ignoring(", "withCompression()");
        story.server.change("x", "spec.files", null);
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).as("once it fits").containsExactly("create 0", "create 1");
    }

    @Test
    void largeObjectsCanBeDeleted() {
        story.start(builder -> builder.onDelete("kex", "del", story.noting("delete")));
        story.server.create(large(300_000));
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("D05")
    void ignoredFieldsAndCompressionAreWaysOut() {
        story.start(handlers(settings ->
                settings.diffBaseStorage(DiffBaseStorage.annotations().ignoring("spec.files"))));
        story.server.create(large(300_000));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("create 0", "create 1");
        story.restart(handlers(settings ->
                settings.diffBaseStorage(DiffBaseStorage.annotations().withCompression())));
        assertThat(story.calls)
                .as("compressed, it counts again")
                .hasSize(3)
                .last()
                .isEqualTo("update");
        String stored = story.at("/metadata/annotations/kopf.zalando.org~1last-handled-configuration")
                .asString();
        assertThat(stored).startsWith("{\"kopf4j-gzip\":\"").hasSizeLessThan(5000);
        story.server.change("x", "status.any", 1);
        story.rest();
        assertThat(story.calls).hasSize(3);
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).hasSize(4).last().isEqualTo("update");
    }

    @Test
    void whatDoesNotCompressIsRefusedAllTheSame() {
        Random random = new Random(0);
        StringBuilder noise = new StringBuilder();
        random.ints(300_000, ' ' + 1, 'z').forEach(c -> noise.append(Character.isLetterOrDigit(c) ? (char) c : 'x'));
        ObjectNode object = Scenario.example();
        object.withObject("/spec").put("noise", noise.toString());
        story.start(handlers(settings ->
                settings.diffBaseStorage(DiffBaseStorage.annotations().withCompression())));
        story.server.create(object);
        story.rest();
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("spec.noise");
    }

    /** A state that has nothing but the size. */
    private static final class SizeOnly implements DiffBaseStorage.Custom {
        private final Map<String, Map<String, Object>> states = new LinkedHashMap<>();

        @Override
        public @Nullable Map<String, Object> fetch(Map<String, Object> body) {
            return states.get(Database.uid(body));
        }

        @Override
        public Map<String, Object> store(Map<String, Object> essence, Map<String, Object> body) {
            states.put(Database.uid(body), essence);
            return Map.of();
        }

        @Override
        public Map<String, Object> build(Map<String, Object> essence, Map<String, Object> body) {
            assertThat(body).containsEntry("kind", "KopfExample");
            assertThat(essence).doesNotContainKey("kind");
            return essence.get("spec") instanceof Map<?, ?> spec && spec.get("size") != null
                    ? Map.of("size", spec.get("size"))
                    : Map.of();
        }
    }

    @Test
    @Tag("D23")
    @Tag("L66")
    void ownStoragesSayWhichChangesCount() {
        SizeOnly sizes = new SizeOnly();
        story.start(builder -> builder.settings(
                        settings -> settings.persistence().diffBaseStorage(sizes))
                .onCreate("kex", "fn", story.noting("created"))
                .onUpdate(
                        "kex",
                        "fn",
                        story.saying(context -> "updated " + context.oldValue() + " -> " + context.newValue())));
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.change("x", "spec.size", 5);
        story.rest();
        assertThat(story.calls).containsExactly("created", "updated {} -> {\"size\":5}");
        assertThat(sizes.states).containsEntry("uid-x", Map.of("size", 5));
    }
}
