package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which worker processes which object when, what objects wait for, and what happens after errors. Tests
 * {@link EventDispatcher}, {@link ObjectWork} and {@link WorkerPool} on a running operator, and {@code ObjectProcessor}
 * with its {@code ErrorDelays}.
 */
@SuppressWarnings("UnnecessaryLambda") // handlers are what the builder takes
class ObjectWorkTest {
    private final Scenario story = new Scenario();
    private int running;
    private int most;

    @AfterEach
    void end() {
        story.close();
    }

    /** Takes ten seconds, and counts how many do so at a time. */
    private Handler slow(String what) {
        return context -> {
            running++;
            most = Math.max(most, running);
            story.calls.add(what + " " + context.name() + " at " + story.seconds());
            story.world.sleep(Duration.ofSeconds(10));
            running--;
            return null;
        };
    }

    @Test
    @Tag("B10")
    void objectsAreParallelAndTheirOwnEventsInOrder() {
        story.start(builder -> builder.onEvent("kex", "ev", slow("event")));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactlyInAnyOrder("event x at 0.5", "event y at 0.5");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).hasSize(3).last().isEqualTo("event x at 10.5");
        assertThat(most).isEqualTo(2);
    }

    @Test
    @Tag("B18")
    void withoutThrottlingAnErrorWaitsForTheNextEvent() {
        ProgressStorage.Custom down = new ProgressStorage.Custom() {
            @Override
            public @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body) {
                story.calls.add("asked");
                throw new IllegalStateException("the database is down");
            }

            @Override
            public Map<String, Object> store(String handlerId, Map<String, Object> record, Map<String, Object> body) {
                return Map.of();
            }

            @Override
            public Map<String, Object> purge(String handlerId, Map<String, Object> body) {
                return Map.of();
            }
        };
        story.start(builder -> unlucky()
                .apply(builder)
                .settings(s -> s.queueing().errorDelays(List.of()))
                .settings(s -> s.persistence().progressStorage(down)));
        story.server.create(Scenario.example("x"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).isNotEmpty();
        int asked = story.calls.size();
        assertThat(asked).isLessThan(5);
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).hasSize(2 * asked);
    }

    @Test
    @Tag("B11")
    void objectsWithoutUidAreToldApartByWhatNamesThem() {
        story.start(builder -> builder.onEvent("kex", "ev", slow("event")));
        for (String name : List.of("x", "y")) {
            ObjectNode object = Scenario.example(name);
            ((ObjectNode) object.get("metadata")).remove("uid");
            story.server.create(object);
        }
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(15));
        assertThat(story.calls).containsExactlyInAnyOrder("event x at 0.5", "event y at 0.5", "event x at 10.5");
    }

    @Test
    @Tag("B12")
    void furtherObjectsWaitForAWorkerInTheirOrder() {
        story.start(
                builder -> builder.settings(s -> s.queueing().workerLimit(2)).onCreate("kex", "cre", slow("create")));
        for (String name : List.of("a", "b", "c", "d", "e")) {
            story.server.create(Scenario.example(name));
        }
        story.pass(Duration.ofMinutes(1));
        assertThat(most).isEqualTo(2);
        assertThat(story.calls.stream().map(call -> call.replace("create ", "")))
                .containsExactlyInAnyOrder("a at 0.5", "b at 0.5", "c at 10.5", "d at 10.5", "e at 20.5");
    }

    @Test
    @Tag("B12")
    @Tag("K17")
    void thereIsNoLimitOfObjectsAtATimeUnlessItIsSet() {
        story.start(builder -> builder.onCreate("kex", "cre", slow("create")));
        for (int i = 0; i < 1100; i++) {
            story.server.create(Scenario.example("n" + i));
        }
        story.pass(Duration.ofSeconds(5));
        assertThat(most).isEqualTo(1100);
    }

    @Test
    @Tag("B13")
    void workMayEndWithinTheExitTimeoutAndIsInterruptedThen() {
        story.start(builder -> builder.onEvent("kex", "ev", context -> {
            try {
                story.world.sleep(Duration.ofSeconds(context.name().equals("x") ? 1 : 60));
                story.calls.add(context.name() + " done");
            } catch (InterruptedException e) {
                story.calls.add(context.name() + " interrupted");
                throw e;
            }
            return null;
        }));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.rest();
        story.stop();
        assertThat(story.calls).containsExactly("x done", "y interrupted");
        assertThat(story.lines(Level.WARN)).singleElement().asString().contains("Handler 'ev' is cancelled");
    }

    @Test
    @Tag("B13")
    void theExitTimeoutIsThatOfTheSettings() {
        story.start(builder -> builder.settings(s -> s.queueing().exitTimeout(Duration.ofMillis(4500)))
                .onEvent("kex", "ev", context -> {
                    story.world.sleep(Duration.ofSeconds(4));
                    story.calls.add("done");
                    return null;
                }));
        story.server.create(Scenario.example("x"));
        story.rest();
        story.stop();
        assertThat(story.calls).containsExactly("done");
    }

    @Test
    @Tag("B13")
    void whatHasNotBegunOrEndedAtTheStopIsTold() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.reactor")) {
            story.start(builder ->
                    builder.settings(s -> s.queueing().workerLimit(1)).onCreate("kex", "cre", slow("create")));
            for (String name : List.of("a", "b", "c", "d", "e", "f", "g")) {
                story.server.create(Scenario.example(name));
            }
            story.rest();
            story.stop();
            assertThat(story.calls).containsExactly("create a at 0.5");
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "warn: K4-015: Unprocessed work is left for kopfexamples.v1.kopf.dev: it has not begun for 6 objects,"
                                    + " such as [ns/b, ns/c, ns/d, ns/e, ns/f]. They are handled when they are watched again.",
                            "warn: K4-015: Unprocessed work is left for kopfexamples.v1.kopf.dev: [ns/a]");
        }
    }

    /** Its worker has served others before. */
    @Test
    @Tag("B13")
    void whatHangsAtTheStopIsToldByItsOwnName() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.reactor")) {
            story.start(builder -> builder.settings(s -> s.queueing().workerLimit(1))
                    .onEvent("kex", "ev", context -> {
                        story.world.sleep(Duration.ofSeconds(context.name().equals("slow") ? 3600 : 1));
                        return null;
                    }));
            story.server.create(Scenario.example("quick"));
            story.server.create(Scenario.example("slow"));
            story.pass(Duration.ofSeconds(10));
            story.stop();
            assertThat(log.lines(Level.WARN))
                    .containsExactly("warn: K4-015: Unprocessed work is left for kopfexamples.v1.kopf.dev: [ns/slow]");
        }
    }

    @Test
    @Tag("B13")
    void objectsWithoutWorkHaveNoWorker() {
        story.start(builder -> builder.onCreate("kex", "cre", slow("create")));
        story.server.create(Scenario.example("x"));
        story.rest();
        assertThat(story.world.describeTasks()).contains("worker of kopfexamples.v1.kopf.dev ns/x");
        story.pass(Duration.ofSeconds(15));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
        assertThat(story.world.describeTasks()).doesNotContain("worker of");
    }

    @Test
    @Tag("B14")
    void eventHandlersSeeEachEventAndChangeHandlersTheLatestState() {
        story.start(builder -> builder.onEvent("kex", "ev", context -> {
                    story.calls.add("event " + context.spec().getString("field", ""));
                    return null;
                })
                .onUpdate("kex", "upd", context -> {
                    story.calls.add("update " + context.spec().getString("field", ""));
                    story.world.sleep(Duration.ofSeconds(1));
                    return null;
                }));
        story.server.create(Scenario.handled());
        story.rest();
        for (String value : List.of("b", "c", "d", "e")) {
            story.server.change("x", "spec.field", value);
            story.pass(Duration.ofMillis(10));
        }
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls.stream().filter(call -> call.startsWith("event")).distinct())
                .containsExactly("event a", "event b", "event c", "event d", "event e");
        assertThat(story.calls.stream().filter(call -> call.startsWith("update")))
                .startsWith("update b")
                .endsWith("update e")
                .hasSizeLessThan(4);
    }

    @Test
    @Tag("B15")
    void ownChangesAreSeenBeforeHandlersAreCalledAgain() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            story.calls.add("create");
            story.server.hold();
            return null;
        }));
        story.server.create(Scenario.example());
        story.rest();
        story.server.release();
        story.rest();
        assertThat(story.calls).containsExactly("create");
    }

    @Test
    @Tag("B15")
    void staleEventsAfterAnOwnChangeAreNotHandled() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    story.calls.add("create at " + story.seconds());
                    story.server.hold();
                    // Somebody's change, made before the operator's own one, is not seen yet.
                    story.server.change("x", "metadata.labels.l", "1");
                    return null;
                })
                .onUpdate("kex", "upd", story.noting("update")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(2));
        assertThat(story.calls).containsExactly("create at 0.5");
        story.server.release();
        story.rest();
        assertThat(story.calls).containsExactly("create at 0.5", "update");
    }

    @Test
    @Tag("B15")
    void waitingForOwnChangesHasAnEnd() {
        waitForOwnChange(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("create at 0.5", "create at 5.5");
    }

    @Test
    @Tag("B15")
    void waitingForOwnChangesCanBeSwitchedOff() {
        waitForOwnChange(Duration.ZERO);
        assertThat(story.calls).hasSizeGreaterThan(1).element(1).isEqualTo("create at 1.5");
    }

    /** The server loses the operator's change, as after a restored backup, and sends the object as it was. */
    private void waitForOwnChange(Duration timeout) {
        story.start(builder -> builder.settings(s -> s.persistence().consistencyTimeout(timeout))
                .onCreate("kex", "cre", context -> {
                    story.calls.add("create at " + story.seconds());
                    if (story.calls.size() == 1) {
                        story.server.hold();
                    }
                    return null;
                }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(1));
        story.server.pretend(Scenario.example());
        story.pass(Duration.ofSeconds(10));
    }

    @Test
    @Tag("B16")
    void nothingIsHandledBetweenTheLastFinalizerAndTheEnd() {
        story.start(builder -> builder.onDelete("kex", "del", context -> {
            story.calls.add("delete");
            story.server.hold();
            return null;
        }));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.delete("x");
        ObjectNode held = story.server.object("x");
        story.pass(Duration.ofSeconds(1));
        assertThat(story.server.exists("x")).isFalse();
        int patches = story.server.patches().size();
        story.server.pretend(held);
        story.pass(Duration.ofSeconds(30));
        story.server.release();
        story.rest();
        assertThat(story.calls).containsExactly("delete");
        assertThat(story.server.patches()).hasSize(patches);
        assertThat(story.log.lines(Level.DEBUG))
                .last()
                .isEqualTo("debug: Deleted, really deleted, and we are notified.");
    }

    @Test
    @Tag("D28")
    void transformationsOfAnOutdatedStateAreNotTriedAgainInHaste() {
        story.start(builder -> builder.onDelete("kex", "del", context -> {
            story.calls.add("delete");
            story.server.hold();
            story.server.change("x", "spec.field", "b");
            return null;
        }));
        story.server.create(Scenario.handled());
        story.rest();
        int patches = story.server.patches().size();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.patches().size() - patches).isBetween(1, 10);
        story.server.release();
        story.rest();
        assertThat(story.calls).containsExactly("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("B17")
    void newEventsInterruptTheWaitForARetry() {
        story.start(builder -> builder.onUpdate("kex", "upd", context -> {
                    story.calls.add("update " + context.retry() + " at " + story.seconds());
                    throw new TemporaryException("later", Duration.ofMinutes(1));
                })
                .onField("kex", "fld", h -> h.field("spec.other"), story.noting("field")));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(20));
        story.server.change("x", "spec.other", "c");
        story.rest();
        assertThat(story.calls).as("at once, and the retry keeps its time").containsExactly("update 0 at 1.0", "field");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("update 0 at 1.0", "field", "update 1 at 61.0");
    }

    private UnaryOperator<OperatorBuilder> unlucky() {
        return builder -> builder.settings(s -> s.networking().errorBackoffs(List.of()))
                .onCreate("kex", "cre", context -> {
                    story.calls.add("create " + context.name());
                    return null;
                });
    }

    /** Changes of the object x fail as long as that is said. */
    private boolean[] failing() {
        boolean[] failing = {true};
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest transportRequest) {
                if (!failing[0]
                        || !transportRequest.method().equals("PATCH")
                        || !transportRequest.path().contains("/kopfexamples/x")) {
                    return null;
                }
                story.calls.add("failed at " + story.seconds());
                return FakeApiServer.status(500, "InternalError", "failed calling webhook");
            }
        });
        return failing;
    }

    @Test
    @Tag("B18")
    void errorsOfTheApiThrottleTheObjectAloneAndRepeatNothing() {
        boolean[] failing = failing();
        story.start(unlucky());
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofSeconds(6));
        assertThat(story.calls.stream().filter(call -> call.startsWith("failed")))
                .containsExactly("failed at 0.5", "failed at 1.5", "failed at 2.5", "failed at 4.5");
        assertThat(story.calls.stream().filter(call -> call.startsWith("create")))
                .containsExactlyInAnyOrder("create x", "create y");
        assertThat(story.lines(Level.ERROR))
                .first()
                .asString()
                .startsWith("error: K4-020: Throttling for 1 seconds due to an unexpected error: ");
        failing[0] = false;
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls.stream().filter(call -> call.equals("create x"))).hasSize(1);
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
        assertThat(story.infos()).contains("info: Throttling is over. Switching back to normal operations.");
    }

    private static Iterable<Duration> endless(Duration first) {
        return () -> Stream.iterate(first, last -> last.multipliedBy(2)).iterator();
    }

    private List<String> failuresWithin(Duration time, Consumer<OperatorSettings> settings) {
        boolean[] failing = failing();
        story.start(builder -> unlucky().apply(builder).settings(settings));
        story.server.create(Scenario.example());
        story.pass(time);
        failing[0] = false;
        return story.calls.stream().filter(call -> call.startsWith("failed")).toList();
    }

    @Test
    @Tag("B18")
    void delaysMayHaveNoEnd() {
        assertThat(failuresWithin(
                        Duration.ofSeconds(40), s -> s.queueing().errorDelays(endless(Duration.ofSeconds(2)))))
                .containsExactly("failed at 0.5", "failed at 2.5", "failed at 6.5", "failed at 14.5", "failed at 30.5");
    }

    @Test
    @Tag("B19")
    void backoffsMayHaveNoEnd() {
        assertThat(failuresWithin(
                        Duration.ofSeconds(40), s -> s.networking().errorBackoffs(endless(Duration.ofSeconds(2)))))
                .containsExactly("failed at 0.5", "failed at 2.5", "failed at 6.5", "failed at 14.5", "failed at 30.5");
        assertThat(story.lines(Level.ERROR)).as("the object is not throttled").isEmpty();
    }

    @Test
    @Tag("B19")
    void listsWithoutAnEndAreNotCopied() {
        List<Duration> endless = Collections.nCopies(Integer.MAX_VALUE, Duration.ofSeconds(10));
        assertThat(failuresWithin(Duration.ofSeconds(25), s -> {
                    s.networking().errorBackoffs(endless);
                    assertThat(s.values()).anySatisfy(value -> {
                        assertThat(value.setting().name()).isEqualTo("networking.errorBackoffs");
                        assertThat(value.text()).isEqualTo("an endless list");
                    });
                }))
                .containsExactly("failed at 0.5", "failed at 10.5", "failed at 20.5");
    }

    @ParameterizedTest
    @Tag("B19")
    @CsvSource(delimiter = '|', textBlock = """
            3s     | failed at 0.5, failed at 3.5
            3      | failed at 0.5, failed at 3.5
            1s,4s  | failed at 0.5, failed at 1.5, failed at 5.5
            ''     | failed at 0.5
            """)
    void oneBackoffMeansOneRetryAndNoneMeansNone(String backoffs, String failures) {
        assertThat(failuresWithin(
                        Duration.ofSeconds(20),
                        s -> s.set("networking.errorBackoffs", backoffs)
                                .queueing()
                                .errorDelays(List.of(Duration.ofMinutes(1)))))
                .isEqualTo(List.of(failures.split(", ", -1)));
    }

    @Test
    @Tag("B18")
    void eventsMeanwhileDoNotShortenThePauseAndTheLatestCounts() {
        boolean[] failing = failing();
        story.start(builder ->
                unlucky().apply(builder).settings(s -> s.queueing().errorDelays(List.of(Duration.ofSeconds(30)))));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(1));
        failing[0] = false;
        story.server.change("x", "spec.field", "b");
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(20));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isFalse();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }

    @ParameterizedTest
    @Tag("B18")
    @CsvSource({"paused, true", "retry, now", "deletion, now"})
    void whatPeopleAskForEndsThePauseOnce(String what, String value) {
        boolean[] failing = failing();
        failing[0] = false;
        story.start(builder -> unlucky()
                .apply(builder)
                .onTimer("kex", "tick", h -> h.interval(Duration.ofSeconds(10)), story.noting("tick"))
                .settings(s -> s.queueing().errorDelays(List.of(Duration.ofMinutes(10)))));
        ObjectNode object = Scenario.example();
        object.withObject("/metadata").putArray("finalizers").add("example.com/other");
        story.server.create(object);
        story.pass(Duration.ofSeconds(15));
        failing[0] = true;
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(1));
        assertThat(called())
                .contains("tick")
                .filteredOn(call -> call.startsWith("failed"))
                .hasSize(1);

        if (what.equals("deletion")) {
            story.server.delete("x");
        } else {
            story.server.annotate("x", "kopf.zalando.org/" + what, value);
        }
        story.pass(Duration.ofSeconds(5));
        assertThat(called()).filteredOn(call -> call.startsWith("failed")).hasSize(1);
        story.server.change("x", "spec.field", "c");
        story.server.change("x", "metadata.labels.other", "change");
        story.pass(Duration.ofMinutes(1));
        List<String> later = called();
        assertThat(later).noneMatch(call -> call.startsWith("failed"));
        assertThat(later.contains("tick")).isEqualTo(what.equals("retry"));

        failing[0] = false;
        story.server.annotate("x", "kopf.zalando.org/" + (what.equals("paused") ? "paused" : "retry"), "false");
        story.pass(Duration.ofSeconds(5));
        if (what.equals("deletion")) {
            assertThat(story.at("/metadata/finalizers")).hasSize(1);
        } else {
            assertThat(story.at("/metadata/annotations")
                            .path(Scenario.LAST_HANDLED)
                            .asString())
                    .contains("\"c\"");
        }
    }

    private List<String> called() {
        List<String> all = List.copyOf(story.calls);
        story.calls.clear();
        return all;
    }

    @Test
    @Tag("B18")
    void exceptionsOfFiltersThrottleTheObjectAlone() {
        story.start(builder -> builder.onCreate(
                "kex",
                "cre",
                h -> h.when(context -> {
                    if (context.name().equals("x")) {
                        throw new IllegalStateException("no such luck");
                    }
                    return true;
                }),
                story.saying(context -> "create " + context.name())));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("create y");
        assertThat(story.lines(Level.ERROR)).allMatch(line -> line.contains("no such luck"));
    }

    /** As many do where a look-up times out, as that is an InterruptedIOException. */
    private static Predicate<HandlerContext> interrupting(BooleanSupplier now, boolean passes) {
        return context -> {
            if (context.name().equals("x") && now.getAsBoolean()) {
                Thread.currentThread().interrupt();
                return passes;
            }
            return true;
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilterThatInterruptsItsThreadThrottlesItsObjectAlone(boolean passes) {
        story.start(builder -> builder.onCreate(
                        "kex",
                        "a",
                        h -> h.when(interrupting(() -> story.seconds() < 3, passes)),
                        story.saying(context -> "a " + context.name()))
                .onCreate("kex", "b", story.saying(context -> "b " + context.name())));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).contains("a y", "b y");
        assertThat(story.lines(Level.ERROR))
                .hasSizeBetween(1, 4)
                .allMatch(line -> line.startsWith("error: K4-020: Throttling for ")
                        && line.endsWith("code of the operator, such as a filter, has interrupted its thread"));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactlyInAnyOrder("a x", "b x", "a y", "b y");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }

    /** All handlers wait for the indices. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilterOfAnIndexThatInterruptsItsThreadHoldsUpNobody(boolean passes) {
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.start(builder -> builder.onIndex(
                        "kex", "idx", h -> h.when(interrupting(() -> true, passes)), context -> context.name())
                .onIndex("kex", "other", h -> {}, context -> context.name())
                .onCreate("kex", "cre", story.saying(context -> "create " + context.name())));
        story.pass(Duration.ofSeconds(3));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactlyInAnyOrder("create x", "create y");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
        assertThat(story.lines(Level.ERROR))
                .isNotEmpty()
                .hasSizeLessThan(10)
                .allMatch(line -> line.equals("error: The object could not be indexed, due to an unexpected error."));
    }
}
