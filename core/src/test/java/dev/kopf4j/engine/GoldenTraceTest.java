package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: an operator sends and logs what a Python operator sends and logs. Method: the recorded scenarios are played
 * against a fake server in simulated time; requests, log lines and the final object are compared. Each merge patch
 * carries a uid as its precondition: the test checks it and leaves it out of the comparison. Times are masked. Runs the
 * whole way of an event, from {@code EventDispatcher} by {@code ProcessingCycle} and {@code ChangeCycle} to
 * {@code PatchSender}.
 */
@SuppressWarnings("UnnecessaryLambda") // handlers are what the builder takes
class GoldenTraceTest {
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
    private static final String HANDLED = "{\"spec\":{\"field\":\"a\"}}\n";

    private SimulatedPlatform platform = new SimulatedPlatform(0, START);
    private FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();

    private void seeded(long seed) {
        platform = new SimulatedPlatform(seed, START);
        server = new FakeApiServer(platform, false);
        calls.clear();
    }

    private static ObjectNode example() {
        return Json.parseObject("""
                {"apiVersion":"kopf.dev/v1","kind":"KopfExample",
                 "metadata":{"name":"x","namespace":"ns","uid":"u1"},"spec":{"field":"a"}}""".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static ObjectNode annotated(ObjectNode object, String key, String value) {
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        metadata.withObject("/annotations").put(key, value);
        return object;
    }

    private static ObjectNode handled() {
        return annotated(example(), "kopf.zalando.org/last-handled-configuration", HANDLED);
    }

    /** Plays a scenario, and compares it with the recorded one. */
    private void play(String id, UnaryOperator<OperatorBuilder> handlers, Runnable script) {
        try (ObjectLogCapture log = new ObjectLogCapture();
                OperatorHandle operator = start(handlers)) {
            rest();
            script.run();
            rest();
            compare(GoldenTrace.load(id), log);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(platform.describeTasks()).as("tasks left after the stop").isEmpty();
    }

    private OperatorHandle start(UnaryOperator<OperatorBuilder> handlers) {
        OperatorHandle operator = SimulatedOperator.start(platform, server, handlers);
        rest();
        return operator;
    }

    /** Shorter than any fallback: what happens must happen by itself. */
    private void rest() {
        platform.runFor(Duration.ofMillis(500));
    }

    private void compare(GoldenTrace trace, ObjectLogCapture log) {
        List<FakeApiServer.Request> sent = server.patches();
        assertThat(log.lines(Level.INFO)).as("lines of %s", trace.title()).isEqualTo(trace.lines());
        assertThat(sent.stream().map(GoldenTraceTest::described).toList())
                .as("requests of %s", trace.title())
                .isEqualTo(
                        trace.patches().stream().map(GoldenTraceTest::described).toList());
        if (server.exists("x")) {
            assertThat(same(withoutVersion(server.object("x")), withoutVersion((ObjectNode) trace.last())))
                    .as("final object of %s: %s, expected %s", trace.title(), server.object("x"), trace.last())
                    .isTrue();
        }
    }

    /** Fewer requests make fewer versions. */
    private static ObjectNode withoutVersion(ObjectNode object) {
        ((ObjectNode) object.get("metadata")).remove("resourceVersion");
        return object;
    }

    private static boolean same(JsonNode one, JsonNode other) {
        return JsonEquality.equal(one, other);
    }

    /** As text with sorted keys, so that differences can be read. */
    private static String described(FakeApiServer.Request request) {
        JsonNode body = request.body().deepCopy();
        if (body instanceof ObjectNode merge && merge.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("uid");
            if (metadata.isEmpty()) {
                merge.remove("metadata");
            }
        }
        return request.path() + " " + request.type() + " " + sorted(masked(body));
    }

    private static JsonNode masked(JsonNode body) {
        String text = Json.text(body);
        return Json.parse(text.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00", "<TS>"));
    }

    private static String sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> parts = new ArrayList<>();
            object.properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> parts.add("\"" + entry.getKey() + "\":" + sorted(entry.getValue())));
            return "{" + String.join(",", parts) + "}";
        }
        return node.isString() && node.stringValue().startsWith("{")
                ? sorted(Json.parse(node.stringValue())) + (node.stringValue().endsWith("\n") ? "\\n" : "")
                : node.toString();
    }

    private UnaryOperator<OperatorBuilder> asap(UnaryOperator<OperatorBuilder> handlers) {
        return builder ->
                handlers.apply(builder.settings(settings -> settings.execution().lifecycle(HandlerLifecycle.ASAP)));
    }

    private dev.kopf4j.Handler noting(String what) {
        return context -> {
            calls.add(what + "#" + context.retry());
            return null;
        };
    }

    @Test
    @Tag("T1")
    void createsOnceWithOnePatch() {
        play(
                "T1",
                builder -> builder.onCreate("kopfexamples", "create_fn", c -> Map.of("x", 1)),
                () -> server.create(example()));
        assertThat(server.patches())
                .allSatisfy(patch ->
                        assertThat(patch.body().at("/metadata/uid").asString()).isEqualTo("u1"));
    }

    private UnaryOperator<OperatorBuilder> lifeHandlers() {
        return builder -> builder.onCreate("kopfexamples", "create_fn", noting("create"))
                .onUpdate("kopfexamples", "update_fn", h -> h.field("spec.field"), noting("update"))
                .onDelete("kopfexamples", "delete_fn", noting("delete"));
    }

    private void wholeLife() {
        server.create(example());
        rest();
        server.change("x", "spec.field", "b");
        rest();
        server.delete("x");
    }

    @Test
    @Tag("T2")
    void holdsTheObjectForItsDeletionHandler() {
        play("T2", lifeHandlers(), this::wholeLife);
        assertThat(calls).containsExactly("create#0", "update#0", "delete#0");
        assertThat(server.exists("x")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0})
    @Tag("T2")
    void wholeLifeIsTheSameUnderHundredSeeds(long first) {
        for (long seed = first; seed < first + 100; seed++) {
            seeded(seed);
            play("T2", lifeHandlers(), this::wholeLife);
            assertThat(calls).as("seed %d", seed).containsExactly("create#0", "update#0", "delete#0");
        }
    }

    private UnaryOperator<OperatorBuilder> retriedThenDone() {
        return asap(builder -> builder.onCreate("kopfexamples", "create_1", context -> {
                    if (context.retry() == 0) {
                        throw new TemporaryException("oops", Duration.ofMillis(20));
                    }
                    return null;
                })
                .onCreate("kopfexamples", "create_2", context -> "done"));
    }

    @Test
    @Tag("T3")
    void retriesOneHandlerWhileTheOtherIsDone() {
        play("T3", retriedThenDone(), () -> server.create(example()));
    }

    @Test
    @Tag("T4")
    @Tag("C35")
    void finishesAParentWithItsSubHandlers() {
        play(
                "T4",
                asap(builder -> builder.onCreate("kopfexamples", "create_fn", context -> {
                    context.subHandlers().add("a", child -> "r");
                    context.subHandlers().add("b", child -> "r");
                    return null;
                })),
                () -> server.create(example()));
    }

    private UnaryOperator<OperatorBuilder> resumeCreateUpdate() {
        return asap(builder -> builder.onResume("kopfexamples", "resume_fn", noting("resume"))
                .onCreate("kopfexamples", "create_fn", noting("create"))
                .onUpdate("kopfexamples", "update_fn", noting("update")));
    }

    @Test
    @Tag("T5")
    void resumesAnUnchangedObject() {
        server.create(handled());
        play("T5", resumeCreateUpdate(), () -> {});
        assertThat(calls).containsExactly("resume#0");
    }

    @Test
    @Tag("T6")
    void createsAnObjectThatWasNeverHandled() {
        server.create(example());
        play("T6", resumeCreateUpdate(), () -> {});
        assertThat(calls).containsExactly("create#0");
    }

    @Test
    @Tag("T7")
    void mixesResumingIntoAnUpdateOfTheDowntime() {
        ObjectNode changed = handled();
        ((ObjectNode) changed.get("spec")).put("field", "b");
        server.create(changed);
        play("T7", resumeCreateUpdate(), () -> {});
        assertThat(calls).containsExactly("resume#0", "update#0");
    }

    @Test
    @Tag("T8")
    void storesResultsOfEventHandlers() {
        play(
                "T8",
                builder ->
                        builder.onEvent("kopfexamples", "ev", c -> c.eventType().orElse(null)),
                () -> server.create(example()));
    }

    @Test
    @Tag("T9")
    void leavesNoTraceOnObjectsThatDoNotMatch() {
        play(
                "T9",
                builder -> builder.onCreate("kopfexamples", "create_fn", h -> h.labels("never"), noting("c")),
                () -> {
                    server.create(example());
                    rest();
                    server.change("x", "spec.field", "b");
                });
        assertThat(calls).isEmpty();
    }

    @Test
    @Tag("T10")
    void failsForGoodWhenRetriesAreUsedUp() {
        play(
                "T10",
                builder -> builder.onCreate(
                        "kopfexamples", "create_fn", h -> h.retries(2).backoff(Duration.ofMillis(20)), context -> {
                            throw new IllegalStateException("boom");
                        }),
                () -> server.create(example()));
    }

    private UnaryOperator<OperatorBuilder> patching() {
        return builder -> builder.onCreate("kopfexamples", "create_fn", context -> {
            context.patch().set("spec.extra", 1).set("status.s", 2);
            context.patch().transform(body -> {
                @SuppressWarnings("unchecked")
                Map<String, Object> status =
                        (Map<String, Object>) body.computeIfAbsent("status", k -> new java.util.HashMap<>());
                status.put("conditions", List.of(Map.of("type", "Ready")));
            });
            return null;
        });
    }

    @Test
    @Tag("T11")
    void appliesMergePartAndTransformations() {
        play("T11", patching(), () -> server.create(example()));
    }

    @Test
    @Tag("T12")
    void deletionSupersedesAnUnfinishedCreation() {
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onCreate("kopfexamples", "create_fn", context -> {
                    calls.add("create");
                    throw new TemporaryException("later");
                })
                .onDelete("kopfexamples", "delete_fn", noting("delete"));
        try (ObjectLogCapture log = new ObjectLogCapture();
                OperatorHandle operator = start(handlers)) {
            server.create(example());
            rest();
            server.delete("x");
            rest();
            assertThat(log.lines(Level.INFO)).isEqualTo(GoldenTrace.load("T12").lines());
            operator.stop();
            rest();
        }
        assertThat(calls).containsExactly("create", "delete#0");
        assertThat(server.exists("x")).isFalse();
    }

    @Test
    @Tag("T13")
    void writesBothVersionsOfLongKeysAndItsMark() {
        String id = "x".repeat(64);
        play(
                "T13",
                builder -> builder.settings(settings -> settings.persistence().prefix("op.example.com"))
                        .onCreate("kopfexamples", id, context -> {
                            if (context.retry() == 0) {
                                throw new TemporaryException("", Duration.ofMillis(20));
                            }
                            return null;
                        }),
                () -> server.create(example()));
    }

    @Test
    @Tag("T14")
    void continuesACreationThatAnotherOperatorHasBegun() {
        String begun = "{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",";
        ObjectNode object = annotated(
                example(), "kopf.zalando.org/create_fn", begun + "\"retries\":3,\"success\":false,\"failure\":false}");
        annotated(object, "kopf.zalando.org/create_2", begun + "\"retries\":1,\"success\":true,\"failure\":false}");
        server.create(object);
        play(
                "T14",
                builder -> builder.onCreate("kopfexamples", "create_fn", noting("create"))
                        .onCreate("kopfexamples", "create_2", noting("second")),
                () -> {});
        assertThat(calls).containsExactly("create#3");
    }

    @Test
    @Tag("T15")
    void continuesWithProgressFromTheStatus() {
        ObjectNode object = example();
        ObjectNode kopf = object.putObject("status").putObject("kopf");
        kopf.putObject("progress").putObject("create_fn").put("retries", 2).put("purpose", "create");
        kopf.put("dummy", "x");
        server.create(object);
        play("T15", builder -> builder.onCreate("kopfexamples", "create_fn", noting("create")), () -> {});
        assertThat(calls).containsExactly("create#2");
    }

    @Test
    @Tag("T18")
    @Tag("C25")
    void followsAFieldOfTheStatus() {
        play(
                "T18",
                builder -> builder.onField("kopfexamples", "fld", h -> h.field("status.phase"), context -> {
                    calls.add(context.oldValue() + " -> " + context.newValue() + " "
                            + context.diff().items());
                    return null;
                }),
                () -> {
                    server.create(handled());
                    rest();
                    server.change("x", "status.phase", "A");
                    rest();
                    server.change("x", "status.phase", "B");
                });
        assertThat(calls)
                .containsExactly(
                        "null -> A [Item[op=ADD, field=[], oldValue=null, newValue=A]]",
                        "A -> B [Item[op=CHANGE, field=[], oldValue=A, newValue=B]]");
    }

    @Test
    @Tag("T19")
    void carriesTheFinalizerOverAConflict() {
        ObjectNode object = handled();
        ((ObjectNode) object.get("metadata"))
                .putArray("finalizers")
                .add("other/f")
                .add("kopf.zalando.org/KopfFinalizerMarker");
        server.create(object);
        play("T19", builder -> builder.onDelete("kopfexamples", "delete_fn", noting("delete")), () -> {
            server.delete("x");
            server.hold();
            server.change("x", "spec.z", 1);
            rest();
            server.release();
        });
        assertThat(calls).containsExactly("delete#0");
    }

    @Test
    @Tag("T20")
    void marksKeysOfReplicaSetsOfDeployments() {
        ObjectNode object = example();
        object.put("kind", "ReplicaSet");
        ((ObjectNode) object.get("metadata"))
                .putArray("ownerReferences")
                .addObject()
                .put("kind", "Deployment")
                .put("name", "d")
                .put("uid", "q");
        play("T20", retriedThenDone(), () -> server.create(object));
    }

    @Test
    @Tag("T16")
    @Tag("E01")
    @Tag("E08")
    void holdsTheObjectUntilItsDaemonHasStopped() {
        play(
                "T16",
                builder -> builder.onDaemon("kopfexamples", "dmn", context -> {
                    context.stopped().await();
                    return null;
                }),
                () -> {
                    server.create(example());
                    rest();
                    server.delete("x");
                });
        assertThat(server.exists("x")).isFalse();
    }

    @Test
    @Tag("T17")
    @Tag("E14")
    void timersWithoutAnIntervalRunOnceAndLetTheObjectGo() {
        try (OperatorHandle operator = start(builder -> builder.onTimer("kopfexamples", "tmr", context -> {
            calls.add("timer");
            return "once";
        }))) {
            server.create(example());
            rest();
            server.change("x", "spec.field", "b");
            rest();
            ObjectNode last = withoutVersion(server.object("x"));
            assertThat(same(last, withoutVersion((ObjectNode)
                            GoldenTrace.load("T17").last())))
                    .as("final object: %s", last)
                    .isTrue();
            assertThat(calls).containsExactly("timer");
            operator.stop();
            rest();
        }
    }

    private void playWithStatusSubresource(
            String id, UnaryOperator<OperatorBuilder> handlers, Consumer<JsonNode> check) {
        server = new FakeApiServer(platform, true);
        try (OperatorHandle operator = start(handlers)) {
            server.create(example());
            rest();
            ObjectNode expected =
                    withoutVersion((ObjectNode) GoldenTrace.load(id).last());
            ObjectNode last = withoutVersion(server.object("x"));
            assertThat(same(last, expected))
                    .as("%s, expected %s", last, expected)
                    .isTrue();
            check.accept(last);
            operator.stop();
            rest();
        }
    }

    @Test
    @Tag("S1")
    void writesTheStatusApartAndFirst() {
        playWithStatusSubresource(
                "S1",
                builder -> builder.onCreate("kopfexamples", "create_fn", c -> Map.of("x", 1)),
                last -> assertThat(server.patches().stream()
                                .map(FakeApiServer.Request::path)
                                .map(path -> path.endsWith("/status")))
                        .containsExactly(true, false));
    }

    @Test
    @Tag("S2")
    void writesStatusTransformationsApart() {
        playWithStatusSubresource(
                "S2", patching(), last -> assertThat(server.patches().size()).isLessThanOrEqualTo(4));
    }
}
