package dev.kopf4j.engine.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Index;
import dev.kopf4j.IndexId;
import dev.kopf4j.Memo;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.Patch;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.injection.MemoAndIndexBinders.IndexTypeCheck;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedPods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/**
 * Which parameters are indices, and which declarations are refused before anything is watched. Tests
 * {@link MemoAndIndexBinders} and {@link IndexTypeCheck}.
 */
@SuppressWarnings({"unused", "NullAway"}) // handlers are found by reflection
class IndexInjectionTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private static final class Everywhere {
        private final List<String> seen = new ArrayList<>();

        @OnIndex("kex")
        Map<String, String> byField(@Field("spec.field") String field, String name, Index<String, String> byField) {
            seen.add("index " + byField.size());
            return Map.of(field, name);
        }

        @OnEvent(value = "kex", when = "condition")
        void event(Index<String, String> byField) {
            note("event", byField);
        }

        boolean condition(Index<String, String> byField) {
            note("when", byField);
            return true;
        }

        @OnCreate("kex")
        void create(Index<String, String> byField, SubHandlers children) {
            note("create", byField);
            children.add("child", h -> {}, context -> {
                note("child", context.index("byField"));
                return null;
            });
        }

        @OnUpdate("kex")
        void update(Index<String, String> byField) {
            note("update", byField);
        }

        @OnField(value = "kex", field = "spec.field", newValueWhen = "test")
        void field(Index<String, String> byField) {
            note("field", byField);
        }

        boolean test(@Nullable String value, Index<String, String> byField) {
            note("test", byField);
            return true;
        }

        @OnResume("kex")
        void resume(Index<String, String> byField) {
            note("resume", byField);
        }

        @OnDelete("kex")
        void delete(Index<String, String> byField) {
            note("delete", byField);
        }

        @OnDaemon(value = "kex", initialDelayBy = "delay")
        void daemon(Index<String, String> byField) {
            note("daemon", byField);
        }

        Duration delay(Index<String, String> byField) {
            note("delay", byField);
            return Duration.ZERO;
        }

        @OnTimer(value = "kex", interval = "1h")
        void timer(Index<String, String> byField) {
            note("timer", byField);
        }

        private void note(String what, Index<String, String> index) {
            seen.add(what + " " + index.keySet());
        }
    }

    @Test
    @Tag("F01")
    @Tag("F07")
    void handlersAndFiltersOfAllKindsGetThem() {
        story.server.create(Scenario.handled());
        Everywhere handlers = new Everywhere();
        story.start(handlers);
        story.server.create(Scenario.example("y"));
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(handlers.seen)
                .startsWith("index 0")
                .contains(
                        "event [a]",
                        "when [a]",
                        "create [a]",
                        "child [a]",
                        "resume [a]",
                        "delay [a]",
                        "daemon [a]",
                        "timer [a]",
                        "test [a, b]",
                        "field [a, b]",
                        "update [a, b]",
                        "delete [a, b]");
    }

    private static final class SameNames {
        private final List<String> seen = new ArrayList<>();

        @OnIndex("kex")
        Map<String, Integer> name(String name) {
            return Map.of(name, 1);
        }

        @OnIndex(value = "kex", id = "spec")
        String other(String name) {
            return name;
        }

        @OnEvent("kex")
        void asText(String name) {
            seen.add("text " + name);
        }

        @OnEvent("kex")
        void asIndex(Index<String, Integer> name, Index<Void, String> spec, @IndexId("name") Index<?, ?> again) {
            seen.add("index " + name.keySet() + spec.store() + name.equals(again));
        }
    }

    @Test
    @Tag("F08")
    void anIndexNamedLikeAnotherParameterIsGivenByItsType() {
        SameNames handlers = new SameNames();
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
        assertThat(handlers.seen).containsExactly("text x", "index [x][x]true");
    }

    private record Place(String namespace, String name) {}

    private static final class CompositeKeys {
        private final List<Object> seen = new ArrayList<>();

        @OnIndex("kex")
        Map<Place, Body> whole(String namespace, String name, Body body) {
            return Map.of(new Place(namespace, name), body);
        }

        @OnIndex("kex")
        Map<List<String>, String> byLists(String namespace, String name) {
            return Map.of(List.of(namespace, name), "x");
        }

        @OnEvent("kex")
        void event(Index<Place, Body> whole, Index<List<String>, String> byLists) {
            whole.store(new Place("ns", "x"))
                    .forEach(body -> seen.add(body.spec().getString("field", "")));
            seen.addAll(byLists.store(List.of("ns", "x")));
        }
    }

    @Test
    @Tag("L32")
    void recordsAndListsAreKeys() {
        CompositeKeys handlers = new CompositeKeys();
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
        assertThat(handlers.seen).containsExactly("a", "x");
    }

    private static final class Everything {
        private final List<Object> seen = new ArrayList<>();

        @OnIndex(value = "kex", param = "given", errors = ErrorsMode.TEMPORARY, backoff = "1s")
        @Nullable Object all(
                HandlerContext context,
                Memo memo,
                Logger logger,
                int retry,
                Instant started,
                Duration runtime,
                Object param,
                Map<String, String> labels) {
            seen.add(param + " " + retry + " " + runtime.toSeconds());
            if (retry == 0) {
                throw new IllegalStateException("the first attempt fails");
            }
            return null;
        }
    }

    @Test
    @Tag("L33")
    void functionsKnowTheirAttempts() {
        Everything functions = new Everything();
        story.start(functions);
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(5));
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(functions.seen).containsExactly("given 0 0", "given 1 5");
    }

    /** One index of several resources. */
    private static final class Shared {
        @OnIndex("kex")
        @OnIndex("pods")
        Map<String, String> names(String name, HandlerContext context) {
            return Map.of(name, context.resource().plural());
        }
    }

    @Test
    @Tag("F01")
    void oneFunctionMayFillAnIndexFromSeveralResources() {
        SimulatedPods pods = new SimulatedPods(story);
        pods.server.add("p", "node");
        pods.start(builder -> builder.handlers(new Shared()));
        assertThat(pods.content("names")).isEqualTo(Map.of("p", List.of("pods"), "look-0", List.of("kopfexamples")));
        pods.stop();
    }

    private static void refused(Object handlers, String... words) {
        assertThatThrownBy(() -> Operator.builder().handlers(handlers).build())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll(words);
    }

    private static final class Unknown {
        @OnIndex("kex")
        Map<String, String> byField(String name) {
            return Map.of(name, name);
        }

        @OnEvent("kex")
        void event(Index<String, String> byFeild) {}
    }

    @Test
    void unknownIndicesAreRefused() {
        refused(
                new Unknown(),
                "parameter 'Index byFeild' of Unknown.event(Index)",
                "there is no index 'byFeild'; there are [byField]; the parameter's name, or @IndexId, is the id of the index");
        refused(
                new Object() {
                    @OnEvent("kex")
                    void event(Index<String, String> any) {}
                },
                "there is no index 'any'; there are none at all: declare it by @OnIndex");
    }

    @Test
    void unknownIndicesAreToldToLambdas() {
        story.start(builder -> builder.onIndex("kex", "known", HandlerContext::name)
                .onEvent("kex", "event", context -> context.index("unknown").size()));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR))
                .singleElement()
                .asString()
                .contains(
                        "there is no index 'unknown'; there are [known]; declare it by @OnIndex or OperatorBuilder.onIndex");
    }

    private abstract static class Declared {
        @OnIndex("kex")
        Map<String, Integer> counts(String name) {
            return Map.of(name, 1);
        }

        @OnIndex("kex")
        Optional<Place> places(String name) {
            return Optional.of(new Place("ns", name));
        }
    }

    @Test
    void keysAndValuesThatCanNeverBeAreRefused() {
        refused(
                new Declared() {
                    @OnEvent("kex")
                    void event(Index<Integer, Integer> counts) {}
                },
                "index 'counts' of Declared.counts(String) has keys of the type String, never Integer; take Index<String,"
                        + " Integer>");
        refused(
                new Declared() {
                    @OnEvent("kex")
                    void event(Index<String, String> counts) {}
                },
                "has values of the type Integer, never String; take Index<String, Integer>");
        refused(
                new Declared() {
                    @OnEvent("kex")
                    void event(Index<String, Place> places) {}
                },
                "returns no maps but plain values, which are all under the key null; take Index<Void, Place>");
        refused(
                new Declared() {
                    @OnEvent("kex")
                    void event(Index<Void, String> places) {}
                },
                "has values of the type Place, never String; take Index<Void, Place>");
    }

    @Test
    @SuppressWarnings("rawtypes")
    void typesThatCouldBeAreLeftToTheUser() {
        Object handlers = new Declared() {
            @OnIndex("kex")
            Object any(String name) {
                return name;
            }

            @OnEvent("kex")
            void event(
                    Index<Object, Number> counts,
                    Index<?, ?> places,
                    @IndexId("counts") Index raw,
                    @IndexId("counts") Index<CharSequence, Comparable<Integer>> interfaces,
                    Index<String, String> any) {}
        };
        assertThat(Operator.builder().handlers(handlers).build()).isNotNull();
    }

    @Test
    void functionsThatReturnNothingAreRefused() {
        refused(
                new Object() {
                    @OnIndex("kex")
                    void nothing(String name) {}
                },
                "returns nothing, so that nothing could ever be in the index; return a map of keys to values, or a value");
    }

    @Test
    void twoFunctionsOfOneIndexForOneResourceAreRefused() {
        assertThatThrownBy(() -> Operator.builder()
                        .onIndex("kex", "one", HandlerContext::name)
                        .onIndex("kex", "one", HandlerContext::uid)
                        .build())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("two different functions have the id 'one' for @OnIndex");
        assertThat(Operator.builder()
                        .onIndex("kex", "one", HandlerContext::name)
                        .onIndex("pods", "one", HandlerContext::uid)
                        .onEvent("kex", "one", HandlerContext::uid)
                        .build())
                .isNotNull();
    }

    @Test
    void lambdasNeedAnIdThatIsOne() {
        assertThatThrownBy(() -> Operator.builder()
                        .onIndex("kex", " ", HandlerContext::name)
                        .build())
                .hasMessageContaining("the id is blank");
    }

    @Test
    void whatFunctionsCannotHaveIsRefused() {
        refused(
                new Object() {
                    @OnIndex("kex")
                    String patching(Patch patch) {
                        return "";
                    }
                },
                "index functions change nothing in the object");
        refused(
                new Object() {
                    @OnIndex("kex")
                    String differing(Diff diff) {
                        return "";
                    }
                },
                "index functions know of no change");
        refused(
                new Object() {
                    @OnIndex(value = "kex", retries = 0)
                    String never(String name) {
                        return name;
                    }
                },
                "@OnIndex handler 'never': retries is the number of attempts in all, and must be positive: 0");
    }
}
