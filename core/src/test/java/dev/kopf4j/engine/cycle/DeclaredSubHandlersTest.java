package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Diff;
import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.cycle.SubHandlerCalls.DeclaredSubHandlers;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sub-handlers that handlers declare while they run. Tests {@link DeclaredSubHandlers} and {@link ChangeHandlerCalls}.
 */
@Tag("C34")
@Tag("L07")
class DeclaredSubHandlersTest {
    private static final ObjectNode EXAMPLE = Json.parseObject("""
            {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"x","namespace":"ns",
             "uid":"u1","labels":{"app":"web"}},"spec":{"items":["one","two","three"]}}""".getBytes(StandardCharsets.UTF_8));

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();

    private void run(UnaryOperator<OperatorBuilder> handlers, Runnable script) {
        try (OperatorHandle operator = SimulatedOperator.start(platform, server, handlers)) {
            platform.runFor(Duration.ofSeconds(1));
            script.run();
            platform.runFor(Duration.ofMinutes(10));
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    private void create(Handler parent) {
        run(builder -> builder.onCreate("kopfexamples", "parent", parent), () -> server.create(EXAMPLE.deepCopy()));
    }

    private Handler noting() {
        return context -> {
            calls.add(context.handlerId() + "#" + context.retry());
            return null;
        };
    }

    @Test
    void aCallThatWasLeftBehindEndsAlsoIfItDeclaresAndExecutesThenAndItsHandlerIsCalledAgain() {
        run(
                builder ->
                        builder.onUpdate("kopfexamples", "parent", h -> h.timeout(Duration.ofSeconds(2)), context -> {
                            calls.add("called");
                            if (calls.size() > 1) {
                                return null;
                            }
                            Deadline end = platform.after(Duration.ofSeconds(60));
                            while (!end.hasPassed(platform)) {
                                try {
                                    platform.sleep(Duration.ofSeconds(60));
                                } catch (InterruptedException e) {
                                    calls.add("interrupted");
                                }
                            }
                            try {
                                context.subHandlers().add("child", noting());
                            } catch (IllegalStateException e) {
                                calls.add("add: " + e.getMessage());
                            }
                            try {
                                context.subHandlers().execute();
                            } catch (IllegalStateException e) {
                                calls.add(String.valueOf(e.getMessage()));
                            }
                            return null;
                        }),
                () -> {
                    server.create(EXAMPLE.deepCopy());
                    platform.runFor(Duration.ofSeconds(1));
                    server.change("x", "spec.field", "b");
                    platform.runFor(Duration.ofMinutes(3));
                    server.change("x", "spec.field", "c");
                });
        assertThat(calls)
                .containsExactly(
                        "called",
                        "interrupted",
                        "add: the call of Handler 'parent' has ended: its sub-handlers are not executed any more",
                        "the call of Handler 'parent' has ended: its sub-handlers are not executed any more",
                        "called");
    }

    /** Their ids are made of data, in which something may stand twice. */
    @ParameterizedTest
    @ValueSource(strings = {"asap", "inOrder"})
    void ofSubHandlersWithOneIdTheFirstIsCalledAndTheParentSucceeds(String lifecycle) {
        try (LoggerCapture log = new LoggerCapture("kopf4j.objects")) {
            run(
                    builder -> builder.settings(s -> s.set("execution.lifecycle", lifecycle))
                            .onCreate("kopfexamples", "parent", context -> {
                                for (String item : List.of("a", "b", "a", "b")) {
                                    context.subHandlers().add("item-" + item, inner -> {
                                        calls.add(inner.handlerId() + "#" + inner.retry());
                                        return null;
                                    });
                                }
                                return null;
                            })
                            .onCreate("kopfexamples", "next", noting()),
                    () -> server.create(EXAMPLE.deepCopy()));
            assertThat(calls).containsExactlyInAnyOrder("parent/item-a#0", "parent/item-b#0", "next#0");
            assertThat(server.object("x").path("metadata").path("annotations").toString())
                    .doesNotContain("parent");
            assertThat(log.lines(Level.WARN))
                    .anyMatch(line -> line.contains("'parent/item-a'") && line.contains("more than once"));
        }
    }

    /** Filters may choose between two of one id. */
    @Test
    void aSubHandlerWhoseFiltersDoNotMatchGivesWayToTheNextOneOfItsId() {
        create(context -> {
            context.subHandlers().add("child", h -> h.labels("app=other"), inner -> {
                calls.add("first");
                return null;
            });
            context.subHandlers().add("child", inner -> {
                calls.add("second");
                return null;
            });
            return null;
        });
        assertThat(calls).containsExactly("second");
    }

    @Test
    @SuppressWarnings("NullAway") // what is tested
    void aSubHandlerThatIsNullIsRefusedWhereItIsAdded() {
        create(context -> {
            try {
                context.subHandlers().add("child", null);
            } catch (HandlerDeclarationException e) {
                calls.add(String.valueOf(e.getMessage()));
            }
            return null;
        });
        assertThat(calls).containsExactly("sub-handler 'parent/child' is null");
    }

    @Test
    @Tag("C16")
    void onlyChildrenOfUpdatesAndFieldsAskForValuesBeforeAndAfter() {
        List<String> refusals = new ArrayList<>();
        create(context -> {
            try {
                context.subHandlers().add("child", h -> h.field("spec.items").newValue(Filter.PRESENT), noting());
            } catch (HandlerDeclarationException e) {
                refusals.add(String.valueOf(e.getMessage()));
            }
            return null;
        });
        assertThat(refusals)
                .singleElement()
                .asString()
                .contains("@OnCreate handler 'parent/child'", "for update and field handlers", "use fieldValue here");
        assertThat(calls).isEmpty();
    }

    private Handler failingOnce() {
        return context -> {
            calls.add(context.handlerId() + "#" + context.retry());
            if (context.retry() == 0) {
                throw new TemporaryException("not yet", Duration.ofSeconds(1));
            }
            return context.handlerId();
        };
    }

    @Test
    @Tag("C35")
    void callsQuickSubHandlersInOneCycleWithOnePatch() {
        create(context -> {
            calls.add("parent#" + context.retry());
            context.spec()
                    .getList("items")
                    .forEach(item -> context.subHandlers().add((String) item, noting()));
            return null;
        });
        assertThat(calls).containsExactly("parent#0", "parent/one#0", "parent/two#0", "parent/three#0");
        assertThat(server.patches()).hasSize(1);
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    @Test
    @Tag("C35")
    void callsTheParentAgainUntilAllSubHandlersAreFinished() {
        create(context -> {
            calls.add("parent#" + context.retry());
            context.subHandlers().add("quick", noting());
            context.subHandlers().add("slow", failingOnce());
            return "result of the parent";
        });
        assertThat(calls).containsExactly("parent#0", "parent/quick#0", "parent/slow#0", "parent#1", "parent/slow#1");
        ObjectNode status = (ObjectNode) server.object("x").get("status");
        assertThat(status.path("parent/slow").asString()).isEqualTo("parent/slow");
        assertThat(status.path("parent").asString()).isEqualTo("result of the parent");
    }

    /** As long as the attempts are fewer, it is not ready. */
    private Handler readyAfter(int attempts) {
        return context -> {
            calls.add(context.handlerId() + "#" + context.retry() + " at " + (platform.nanos() / 1_000_000_000 - 1));
            if (context.retry() < attempts) {
                throw new TemporaryException("Not ready yet.", Duration.ofSeconds(10));
            }
            return null;
        };
    }

    @Test
    @Tag("L23")
    void subHandlersThatHaveSucceededAreNotCalledAgainWhileOthersAreTriedAgain() {
        create(context -> {
            context.subHandlers().add("a", readyAfter(2));
            context.subHandlers().add("b", readyAfter(6));
            context.subHandlers().execute();
            calls.add("leaving");
            return null;
        });
        assertThat(calls)
                .containsExactly(
                        "parent/a#0 at 0",
                        "parent/b#0 at 0",
                        "parent/a#1 at 10",
                        "parent/b#1 at 10",
                        "parent/a#2 at 20",
                        "parent/b#2 at 20",
                        "parent/b#3 at 30",
                        "parent/b#4 at 40",
                        "parent/b#5 at 50",
                        "parent/b#6 at 60",
                        "leaving");
    }

    /** How a parent executes {@code a} and {@code b}. */
    @FunctionalInterface
    interface Execution {
        void of(SubHandlers subHandlers, Map<String, Handler> handlers) throws InterruptedException;
    }

    private static Stream<Named<Execution>> executions() {
        return Stream.of(
                Named.of("execute()", (subHandlers, handlers) -> {
                    handlers.forEach(subHandlers::add);
                    subHandlers.execute();
                }),
                Named.of("execute(lifecycle)", (subHandlers, handlers) -> {
                    handlers.forEach(subHandlers::add);
                    subHandlers.execute(HandlerLifecycle.ALL_AT_ONCE);
                }),
                Named.of("execute(map)", SubHandlers::execute),
                Named.of(
                        "execute(lifecycle, map)",
                        (subHandlers, handlers) -> subHandlers.execute(HandlerLifecycle.ALL_AT_ONCE, handlers)));
    }

    private Map<String, Handler> bothNoting() {
        Map<String, Handler> handlers = new LinkedHashMap<>();
        handlers.put("b", noting());
        handlers.put("a", noting());
        return handlers;
    }

    @ParameterizedTest
    @MethodSource("executions")
    @Tag("L08")
    void eachFormOfExecutionCallsThemInTheOrderOfTheirDeclarationAndThenGoesOn(Execution execution) {
        create(context -> {
            execution.of(context.subHandlers(), bothNoting());
            calls.add("behind");
            return null;
        });
        assertThat(calls).containsExactly("parent/b#0", "parent/a#0", "behind");
    }

    @Test
    void withoutAnExecutionTheyAreCalledWhenTheParentHasReturned() {
        create(context -> {
            bothNoting().forEach(context.subHandlers()::add);
            calls.add("behind");
            return null;
        });
        assertThat(calls).containsExactly("behind", "parent/b#0", "parent/a#0");
    }

    @Test
    @Tag("L08")
    void aLifecycleOfTheirOwnHoldsForOneExecution() {
        create(context -> {
            calls.add("parent");
            context.subHandlers().execute(HandlerLifecycle.ONE_BY_ONE, bothNoting());
            context.subHandlers().execute(Map.of("c", noting()));
            return null;
        });
        assertThat(calls).containsExactly("parent", "parent/b#0", "parent", "parent/a#0", "parent/c#0");
    }

    @Test
    @Tag("L08")
    void runsTheCodeBehindAnExplicitExecutionOnce() {
        create(context -> {
            context.subHandlers().add("slow", failingOnce());
            context.subHandlers().execute();
            calls.add("behind");
            return null;
        });
        assertThat(calls).containsExactly("parent/slow#0", "parent/slow#1", "behind");
    }

    @Test
    @Tag("L08")
    void leavesTheParentUnfinishedWhenTheSignalIsSwallowed() {
        create(context -> {
            context.subHandlers().add("slow", failingOnce());
            swallow(context);
            calls.add("behind#" + context.retry());
            return null;
        });
        assertThat(calls).containsExactly("parent/slow#0", "behind#0", "parent/slow#1", "behind#1");
    }

    private void swallow(HandlerContext context) throws InterruptedException {
        try {
            context.subHandlers().execute();
        } catch (SubHandlersUnfinishedException e) {
            calls.add("swallowed");
            calls.removeLast();
        }
    }

    @Test
    @Tag("C35")
    void nestsSubHandlersAndForgetsAllOfThemAtTheEnd() {
        create(context -> {
            context.subHandlers().add("child", child -> {
                calls.add(child.handlerId() + "#" + child.retry());
                child.subHandlers().add("grandchild", failingOnce());
                return null;
            });
            return null;
        });
        assertThat(calls)
                .containsExactly(
                        "parent/child#0", "parent/child/grandchild#0", "parent/child#1", "parent/child/grandchild#1");
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    @Test
    void appliesFiltersAndLimitsOfSubHandlers() {
        create(context -> {
            context.subHandlers().add("other", options -> options.labels("app=db"), noting());
            context.subHandlers().add("limited", options -> options.retries(1), failingOnce());
            context.subHandlers().add("failing", child -> {
                calls.add("failing");
                throw new PermanentException("never");
            });
            return null;
        });
        assertThat(calls).containsExactly("parent/limited#0", "failing");
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    @Test
    @Tag("C25")
    void narrowsTheChangeForSubHandlersOfAFieldHandler() {
        run(
                builder -> builder.onField("kopfexamples", "fld", h -> h.field("spec"), context -> {
                    context.subHandlers().add("size", options -> options.field("size"), child -> {
                        calls.add(child.oldValue() + " -> " + child.newValue() + " "
                                + child.diff().items());
                        return null;
                    });
                    return null;
                }),
                () -> {
                    server.create(Json.parseObject("""
                            {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"x","namespace":"ns",
                             "uid":"u1"},"spec":{"size":1}}""".getBytes(StandardCharsets.UTF_8)));
                    platform.runFor(Duration.ofSeconds(10));
                    server.change("x", "spec.size", 2);
                });
        assertThat(calls)
                .containsExactly(
                        "null -> 1 " + List.of(new Diff.Item(Diff.Op.ADD, List.of(), null, 1)),
                        "1 -> 2 " + List.of(new Diff.Item(Diff.Op.CHANGE, List.of(), 1, 2)));
    }

    @Test
    void refusesSubHandlersOutsideOfChanges() {
        run(
                builder -> builder.onEvent("kopfexamples", "ev", context -> {
                    try {
                        context.subHandlers().add("a", noting());
                    } catch (IllegalStateException e) {
                        calls.add(String.valueOf(e.getMessage()));
                    }
                    return null;
                }),
                () -> server.create(Json.parseObject(
                        "{\"kind\":\"KopfExample\",\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\",\"uid\":\"u1\"}}"
                                .getBytes(StandardCharsets.UTF_8))));
        assertThat(calls).singleElement().asString().contains("handlers of changes only");
    }

    @Test
    void handlersOfFieldsHaveSubHandlersWithoutAFieldOfTheirOwn() {
        run(
                builder -> builder.onField("kopfexamples", "fn", h -> h.field("spec.items"), context -> {
                    context.subHandlers().add("sub", sub -> {
                        calls.add(sub.handlerId() + " " + sub.oldValue());
                        return null;
                    });
                    return null;
                }),
                () -> server.create(Json.parseObject("""
                        {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"x","namespace":"ns",
                         "uid":"u1"},"spec":{"items":["one"]}}""".getBytes(StandardCharsets.UTF_8))));
        assertThat(calls).containsExactly("fn/spec.items/sub null");
    }

    @Test
    void handlersThatResumeDeletedObjectsHaveSubHandlersThatDo() {
        server.create(Json.parseObject("""
                        {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"x","namespace":"ns",
                         "uid":"u1","deletionTimestamp":"2020-01-01T00:00:00Z",
                         "finalizers":["kopf.zalando.org/KopfFinalizerMarker"]}}""".getBytes(StandardCharsets.UTF_8)));
        run(
                builder -> builder.onDelete("kopfexamples", "delete_fn", noting())
                        .onResume("kopfexamples", "resume_fn", h -> h.deleted(), context -> {
                            context.subHandlers().add("sub", noting());
                            return null;
                        }),
                () -> {});
        assertThat(calls).containsExactly("delete_fn#0", "resume_fn/sub#0");
    }

    /** A sub-handler would wait for its parent, which waits for it. */
    @Test
    void subHandlersOfTheParentAreRefusedInSubHandlers() {
        List<String> errors;
        try (LoggerCapture log = new LoggerCapture("kopf4j.objects")) {
            create(context -> {
                SubHandlers own = context.subHandlers();
                own.add("outer", _ -> {
                    own.add("inner", _ -> calls.add("inner"));
                    own.execute();
                    return null;
                });
                own.execute();
                return null;
            });
            errors = log.lines(Level.ERROR);
        }
        assertThat(errors.toString())
                .contains(
                        "the sub-handlers of 'parent' were used in the call of 'parent/outer'",
                        "context.subHandlers()");
    }
}
