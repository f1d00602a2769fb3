package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Index;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerFixtures;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.index.ObjectIndexer.IndexedObject;
import dev.kopf4j.engine.index.WrittenObjects.StreamKnowledge;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedPods;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What indices contain after objects change and index functions return, fail or hang, in simulated time. Tests
 * {@link ObjectIndexer} and {@code IndexFunctionCalls}.
 */
class ObjectIndexerTest {
    private final Scenario story = new Scenario();
    private final AtomicReference<@Nullable Index<String, String>> index = new AtomicReference<>();
    private final List<String> attempts = new ArrayList<>();

    @AfterEach
    void end() {
        story.close();
    }

    /** Starts with one index of objects by their field, and a look into it from outside. */
    private void index(Consumer<OnIndex.Options> options, Handler function) {
        story.start(builder -> builder.onIndex("kex", "byField", options, function)
                .onEvent("kex", "look", context -> {
                    index.set(context.index("byField"));
                    return null;
                }));
    }

    private static Object byField(HandlerContext context) {
        return Map.of(context.spec().getString("field", "none"), context.name());
    }

    private void create(String name, String field) {
        story.server.create(Scenario.example(name));
        change(name, field);
    }

    private void change(String name, String field) {
        story.server.change(name, "spec.field", field);
        story.rest();
    }

    private Map<@Nullable String, List<String>> content() {
        Map<@Nullable String, List<String>> content = new HashMap<>();
        Index<String, String> seen = index.get();
        if (seen != null) {
            seen.forEach((key, store) -> content.put(key, List.copyOf(store)));
        }
        return content;
    }

    @Test
    @Tag("F01")
    void objectsAreFoundByTheirKeys() {
        index(h -> {}, ObjectIndexerTest::byField);
        create("x", "a");
        create("y", "a");
        create("z", "b");
        assertThat(content()).isEqualTo(Map.of("a", List.of("x", "y"), "b", List.of("z")));
    }

    @Test
    @Tag("F02")
    void plainResultsAreCollectedUnderNull() {
        index(h -> {}, HandlerContext::name);
        create("x", "a");
        create("y", "a");
        assertThat(content().get(null)).containsExactly("x", "y");
        assertThat(content()).hasSize(1);
    }

    /** Other objects, and webhooks, judge by what the indices say. */
    @Test
    @Tag("F03")
    void objectsThatAreLeftAloneAfterAnErrorAreIndexedAllTheSame() {
        boolean[] failing = {true};
        List<String> calls = new ArrayList<>();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean refused = failing[0] && request.method().equals("PATCH");
                return refused ? FakeApiServer.status(500, "InternalError", "failed calling webhook") : null;
            }
        });
        story.start(builder -> builder.settings(s -> {
                    s.networking().errorBackoffs(List.of());
                    s.queueing().errorDelays(List.of(Duration.ofMinutes(5)));
                })
                .onIndex("kex", "byField", ObjectIndexerTest::byField)
                .onCreate("kex", "created", context -> calls.add("created " + context.name()))
                .onEvent("kex", "look", context -> {
                    index.set(context.index("byField"));
                    calls.add(context.name() + " " + context.spec().getString("field", "none"));
                    return null;
                }));
        create("x", "a");
        create("y", "a");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.lines(Level.ERROR)).anyMatch(line -> line.contains("K4-020"));
        calls.clear();
        change("x", "b");
        change("x", "c");
        assertThat(content()).isEqualTo(Map.of("a", List.of("y"), "c", List.of("x")));
        story.server.delete("y");
        story.rest();
        assertThat(content()).isEqualTo(Map.of("c", List.of("x")));
        story.pass(Duration.ofMinutes(1));
        assertThat(calls).as("they are left alone").isEmpty();

        failing[0] = false;
        story.pass(Duration.ofMinutes(5));
        assertThat(calls).contains("x c", "y a").doesNotContain("x b", "created x", "created y");
        assertThat(content()).isEqualTo(Map.of("c", List.of("x")));
        change("x", "d");
        assertThat(content()).isEqualTo(Map.of("d", List.of("x")));
        assertThat(calls).last().isEqualTo("x d");
    }

    @Test
    @Tag("F03")
    void changesAndDeletionsTakeOldValuesOut() {
        index(h -> {}, ObjectIndexerTest::byField);
        create("x", "a");
        create("y", "a");
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("a", List.of("y"), "b", List.of("x")));
        story.server.delete("x");
        story.rest();
        assertThat(content()).isEqualTo(Map.of("a", List.of("y")));
        story.server.delete("y");
        story.rest();
        assertThat(content()).isEmpty();
    }

    @Test
    @Tag("F03")
    void objectsThatDoNotMatchAnyMoreAreTakenOut() {
        index(h -> h.labels("app=web"), ObjectIndexerTest::byField);
        create("x", "a");
        assertThat(content()).isEmpty();
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        story.server.change("x", "metadata.labels", null);
        story.rest();
        assertThat(content()).isEmpty();
    }

    @Test
    @Tag("F03")
    void fieldsAndConditionsOfOnesOwnFilterToo() {
        index(
                h -> h.field("spec.field").when(context -> !context.name().equals("y")),
                context -> Map.of("all", context.name()));
        create("x", "a");
        create("y", "a");
        assertThat(content()).isEqualTo(Map.of("all", List.of("x")));
        story.server.change("x", "spec.field", null);
        story.rest();
        assertThat(content()).isEmpty();
    }

    /** One function with two sets of filters is one index: it is not taken out by the one that does not match. */
    @Test
    @Tag("F03")
    void oneOfSeveralFiltersIsEnough() {
        Handler function = ObjectIndexerTest::byField;
        story.start(builder -> builder.onIndex("kex", "byField", h -> h.labels("app=web"), function)
                .onIndex("kex", "byField", h -> h.labels("app=db"), function)
                .onEvent("kex", "look", context -> {
                    index.set(context.index("byField"));
                    return null;
                }));
        create("x", "a");
        assertThat(content()).isEmpty();
        story.server.change("x", "metadata.labels", Map.of("app", "db"));
        story.rest();
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
    }

    @Test
    @Tag("F04")
    void nullKeepsWhatIsThereAndAnEmptyMapDoesNot() {
        index(h -> {}, context -> switch (context.spec().getString("field", "")) {
            case "nothing" -> null;
            case "empty" -> Map.of();
            default -> byField(context);
        });
        create("x", "a");
        change("x", "nothing");
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        change("x", "empty");
        assertThat(content()).isEmpty();
    }

    /** Fails as the object says. */
    private Handler failing(RuntimeException exception) {
        return context -> {
            attempts.add(context.retry() + " " + context.runtime().toSeconds());
            if (context.spec().getString("field", "").startsWith("bad")) {
                throw exception;
            }
            return byField(context);
        };
    }

    @Test
    @Tag("F05")
    void ignoredErrorsKeepWhatIsThere() {
        index(h -> {}, failing(new IllegalStateException("oops")));
        create("x", "a");
        change("x", "bad");
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        assertThat(story.lines(Level.ERROR))
                .containsExactly("error: Indexer 'byField' failed with an exception and will ignore it: oops");
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("F05")
    void permanentErrorsLeaveTheObjectOutForGood() {
        index(h -> {}, failing(new PermanentException("never again")));
        create("x", "a");
        create("y", "a");
        change("x", "bad");
        assertThat(content()).isEqualTo(Map.of("a", List.of("y")));
        int before = attempts.size();
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("a", List.of("y")));
        assertThat(attempts).hasSize(before);
        assertThat(story.lines(Level.ERROR))
                .containsExactly("error: Indexer 'byField' failed permanently: never again");
    }

    @Test
    @Tag("F05")
    void permanentIsForgottenWithTheObject() {
        index(h -> h.errors(ErrorsMode.PERMANENT), failing(new IllegalStateException("oops")));
        create("x", "bad");
        story.server.delete("x");
        story.rest();
        create("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("F05")
    @Tag("L33")
    void temporaryErrorsLeaveTheObjectOutUntilAnEventAfterTheDelay() {
        index(h -> {}, failing(new TemporaryException("later", Duration.ofSeconds(30))));
        create("x", "a");
        change("x", "bad");
        assertThat(content()).isEmpty();
        story.pass(Duration.ofSeconds(10));
        change("x", "b");
        assertThat(content()).isEmpty();
        story.pass(Duration.ofSeconds(60));
        assertThat(content()).isEmpty();
        change("x", "c");
        assertThat(content()).isEqualTo(Map.of("c", List.of("x")));
        assertThat(attempts).endsWith("0 0", "1 71");
        change("x", "d");
        assertThat(attempts).endsWith("0 0");
    }

    @Test
    @Tag("L33")
    void backoffIsAMinuteUnlessSaidOtherwise() {
        index(h -> h.errors(ErrorsMode.TEMPORARY), failing(new IllegalStateException("oops")));
        create("x", "bad");
        story.pass(Duration.ofSeconds(50));
        change("x", "a");
        assertThat(content()).isEmpty();
        story.pass(Duration.ofSeconds(10));
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("L33")
    void noBackoffMeansTheNextEvent() {
        index(h -> h.errors(ErrorsMode.TEMPORARY).backoff(Duration.ZERO), failing(new IllegalStateException("oops")));
        create("x", "bad");
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("L33")
    void tooManyAttemptsLeaveTheObjectOutForGood() {
        index(
                h -> h.errors(ErrorsMode.TEMPORARY).backoff(Duration.ZERO).retries(3),
                failing(new IllegalStateException("oops")));
        create("x", "bad1");
        change("x", "bad2");
        change("x", "bad3");
        change("x", "b");
        assertThat(content()).isEmpty();
        assertThat(attempts).containsExactly("0 0", "0 0", "1 0", "2 1");
    }

    @Test
    @Tag("L33")
    void successStartsTheCountAnew() {
        index(
                h -> h.errors(ErrorsMode.TEMPORARY).backoff(Duration.ZERO).retries(2),
                failing(new IllegalStateException("oops")));
        create("x", "bad");
        change("x", "a");
        change("x", "bad");
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("L33")
    @Tag("F04")
    void nullIsASuccessToo() {
        Handler failing = failing(new IllegalStateException("oops"));
        index(
                h -> h.errors(ErrorsMode.TEMPORARY).backoff(Duration.ZERO).retries(2),
                context -> context.spec().getString("field", "").equals("nothing") ? null : failing.handle(context));
        create("x", "bad");
        change("x", "nothing");
        change("x", "bad");
        change("x", "b");
        assertThat(content()).isEqualTo(Map.of("b", List.of("x")));
    }

    @Test
    @Tag("L33")
    void tooLongAfterTheFirstFailureLeavesTheObjectOutForGood() {
        index(
                h -> h.errors(ErrorsMode.TEMPORARY).backoff(Duration.ZERO).timeout(Duration.ofMinutes(1)),
                failing(new IllegalStateException("oops")));
        create("x", "bad");
        story.pass(Duration.ofSeconds(70));
        change("x", "b");
        assertThat(content()).isEmpty();
        assertThat(story.lines(Level.ERROR))
                .last()
                .asString()
                .startsWith("error: Indexer 'byField' has timed out after 0:01:10.5");
    }

    @Test
    @Tag("L33")
    void callsThatHangAreInterrupted() {
        index(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.world.sleep(Duration.ofHours(1));
            return byField(context);
        });
        create("x", "a");
        story.pass(Duration.ofSeconds(6));
        assertThat(content()).isEmpty();
        assertThat(index.get()).isNotNull();
        assertThat(story.lines(Level.ERROR)).containsExactly("error: Indexer 'byField' has timed out after 0:00:05.");
    }

    @Test
    @Tag("F05")
    void badKeysAreTheFunctionsErrors() {
        index(
                h -> {},
                context -> context.spec().getString("field", "").equals("bad")
                        ? Map.of(new int[] {1}, "x")
                        : byField(context));
        create("x", "a");
        change("x", "bad");
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        assertThat(story.lines(Level.ERROR))
                .singleElement()
                .asString()
                .startsWith("error: Indexer 'byField' failed with an exception and will ignore it: the key is a int[]");
    }

    @Test
    @Tag("F05")
    void failingFiltersAreTheFunctionsErrors() {
        index(
                h -> h.when(context -> {
                    if (context.spec().getString("field", "").equals("bad")) {
                        throw new IllegalStateException("the filter fails");
                    }
                    return true;
                }),
                ObjectIndexerTest::byField);
        create("x", "a");
        change("x", "bad");
        assertThat(content()).isEqualTo(Map.of("a", List.of("x")));
        assertThat(story.lines(Level.ERROR))
                .containsExactly(
                        "error: Indexer 'byField' failed with an exception and will ignore it: the filter fails");
    }

    /** All handlers wait for the indices. */
    @Test
    @Tag("F05")
    void errorsOfFiltersHoldUpNobody() {
        story.server.create(Scenario.example("x"));
        index(
                h -> h.when(context -> {
                    throw new ServiceConfigurationError("the filter fails");
                }),
                ObjectIndexerTest::byField);
        story.rest();
        assertThat(index.get()).as("what the handler has got").isNotNull();
        assertThat(content()).isEmpty();
        assertThat(story.lines(Level.ERROR))
                .containsExactly(
                        "error: Indexer 'byField' failed with an exception and will ignore it: the filter fails");
    }

    @Test
    void anObjectThatDidNotFitIsIndexedAgainWhenItDoes() {
        index(h -> {}, context -> Map.of("size " + context.spec().getInt("field", 0), context.name()));
        create("x", "a");
        story.rest();
        assertThat(content()).isEqualTo(Map.of());
        story.server.change("x", "spec.field", 5);
        story.rest();
        assertThat(content()).isEqualTo(Map.of("size 5", List.of("x")));
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(content()).isEqualTo(Map.of());
    }

    @Test
    @Tag("B14")
    void functionsSeeEachEvent() {
        List<String> seen = new ArrayList<>();
        story.start(builder -> builder.onIndex("kex", "all", context -> {
            seen.add(context.spec().getString("field", ""));
            story.world.sleep(Duration.ofMillis(20));
            return null;
        }));
        story.server.create(Scenario.example());
        for (String field : List.of("1", "2", "3")) {
            story.server.change("x", "spec.field", field);
        }
        story.rest();
        assertThat(seen).containsExactly("a", "1", "2", "3");
    }

    @Test
    void nothingIsWrittenToObjectsAndNoFinalizerIsNeeded() {
        index(h -> {}, ObjectIndexerTest::byField);
        create("x", "a");
        assertThat(story.server.patches()).isEmpty();
    }

    /** They are called for each event: their successes would fill the log. */
    @Test
    void successesAreInTheLogOnlyIfItGoesIntoDetail() {
        Logger objects = (Logger) LoggerFactory.getLogger("kopf4j.objects");
        objects.setLevel(Level.INFO);
        try {
            index(h -> {}, context -> {
                context.logger().info("said by the function");
                context.logger().warn("warned by the function");
                return byField(context);
            });
            create("x", "a");
            assertThat(story.infos()).isNotEmpty().noneMatch(line -> line.contains("Indexer") || line.contains("said"));
            assertThat(story.lines(Level.WARN)).contains("warn: warned by the function");
        } finally {
            objects.setLevel(Level.DEBUG);
        }
        change("x", "b");
        assertThat(story.infos()).contains("info: Indexer 'byField' succeeded.", "info: said by the function");
        assertThat(story.lines(Level.DEBUG)).noneMatch(line -> line.contains("Indexer 'byField' is invoked"));
    }

    @Test
    void functionsMustNotChangeTheObject() {
        index(h -> {}, context -> context.patch().toString());
        create("x", "a");
        assertThat(content()).isEmpty();
        assertThat(story.lines(Level.ERROR))
                .first()
                .asString()
                .contains("index functions change nothing in the object");
    }

    @Test
    @Tag("F03")
    void valuesOfObjectsThatVanishedDuringADisconnectAreTakenOut() {
        SimulatedPods pods = new SimulatedPods(story);
        pods.server.add("p1", "node");
        pods.server.add("p2", "node");
        pods.start(builder -> builder.onIndex(
                "pods", "byNode", context -> Map.of(context.spec().getString("nodeName", ""), context.name())));
        pods.server.vanish("p1");
        assertThat(pods.content("byNode")).isEqualTo(Map.of("node", List.of("p1", "p2")));
        pods.server.disconnect();
        story.pass(Duration.ofSeconds(10));
        assertThat(pods.content("byNode")).isEqualTo(Map.of("node", List.of("p2")));
    }

    /** What the stream has told, or the operator has written, of one object. */
    private static final class Known implements IndexHolder, StreamKnowledge {
        private @Nullable IndexedObject indexed;

        @Override
        public @Nullable IndexedObject indexed() {
            return indexed;
        }

        @Override
        public void indexed(@Nullable IndexedObject values) {
            indexed = values;
        }

        @Override
        public IndexHolder holder(String uid) {
            return this;
        }

        @Override
        public boolean hasTold(String uid, String version) {
            return false;
        }

        @Override
        public int currentList() {
            return 1;
        }
    }

    /** Nobody would take the object out again, and the indices outlive the stream. */
    @Test
    @Tag("F03")
    @SuppressWarnings("NullAway") // no other objects are made
    void nothingIsIndexedAnyMoreOnceTheStreamHasEnded() {
        SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
        HandlerRunner runner = new HandlerRunner(world, new OperatorSettings().execution(), OperatorTrace.NONE);
        IndexSet indices = new IndexSet(List.of("fn"));
        AtomicReference<@Nullable ObjectIndexer> tested = new AtomicReference<>();
        RegisteredHandler function = HandlerFixtures.index(context -> {
            attempts.add("called");
            Objects.requireNonNull(tested.get()).end();
            return Map.of("a", context.name());
        });
        ObjectIndexer indexer = ObjectIndexer.of(
                List.of(function),
                new IndexFunctionCalls(new HandlerCalls(runner, HandlerFixtures.contexts(), null), indices));
        tested.set(indexer);
        String body = "{'metadata': {'name': 'x', 'uid': 'u', 'resourceVersion': '5'}}";
        ResourceObject object = HandlerFixtures.subject(body);
        RawEvent event = RawEvent.of(WatchEventType.MODIFIED, HandlerFixtures.json(body));
        Known known = new Known();
        Task task = world.spawn("stream", () -> {
            try {
                indexer.update(object, event, known);
                indexer.written(object, event, new Known());
                indexer.update(object, event, known);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofMinutes(1));
        assertThat(task.isFinished()).isTrue();
        assertThat(attempts).containsExactly("called");
        assertThat(indices.get("fn").isEmpty()).isTrue();
        assertThat(known.indexed()).isNull();
    }
}
