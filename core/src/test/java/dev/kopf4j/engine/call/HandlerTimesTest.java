package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.admission.server.JumpingPlatform;
import dev.kopf4j.engine.call.HandlerRunner.SteadyPlatform;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.DriftingPlatform.Suspension;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When handlers have begun whose records no object stores, while somebody sets the wall clock; in simulated time. */
class HandlerTimesTest {
    private static final String WATCH = "watch for standstills";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final FakeApiServer server = new FakeApiServer(world, false);
    private final AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);
    private final List<String> calls = new ArrayList<>();

    /** Its wall clock goes wrong by that. */
    private record SetPlatform(SimulatedPlatform real, AtomicReference<Duration> wrong) implements Platform {
        @Override
        public Instant now() {
            return real.now().plus(wrong.get());
        }

        @Override
        public long nanos() {
            return real.nanos();
        }

        @Override
        public Task spawn(String name, Runnable body) {
            return real.spawn(name, body);
        }

        @Override
        public Monitor monitor() {
            return real.monitor();
        }

        @Override
        public RandomGenerator random() {
            return real.random();
        }
    }

    @AfterEach
    void end() {
        world.end();
    }

    private void note(String what, HandlerContext context) {
        Duration byTheClock =
                Duration.between(context.started(), context.clock().instant());
        calls.add(what + " " + context.retry() + " " + context.runtime() + " " + byTheClock);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2H", "PT-1H"})
    @Tag("C22")
    @Tag("L33")
    void timersAndIndexFunctionsHaveBegunAsLongAgoAsTheyHave(Duration step) {
        SimulatedOperator.start(
                new SetPlatform(world.machine("first"), wrong),
                server,
                builder -> builder.onIndex("kex", "idx", context -> {
                            note("index", context);
                            return Map.of(context.name(), 1);
                        })
                        .onTimer("kex", "tick", options -> options.interval(Duration.ofMinutes(1)), context -> {
                            note("timer", context);
                            if (context.retry() == 0) {
                                throw new TemporaryException("not yet", Duration.ofSeconds(10));
                            }
                            return null;
                        }));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(1));
        calls.clear();
        wrong.set(step);
        world.runFor(Duration.ofSeconds(75));
        server.create(Scenario.example("y"));
        world.runFor(Duration.ofSeconds(1));
        assertThat(calls).containsOnly("timer 1 PT10S PT10S", "timer 0 PT0S PT0S", "index 0 PT0S PT0S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2H", "PT-2H"})
    @Tag("C22")
    void handlersOfChildrenAreTriedAgainWhenTheirPausesAreOver(Duration step) {
        SimulatedOperator.start(
                new SetPlatform(world.machine("first"), wrong),
                server,
                builder -> builder.onReconcile(
                        "kex",
                        "children",
                        options ->
                                options.children("kopfexamples").condition("").timeout(Duration.ofMinutes(5)),
                        context -> {
                            note("children", context);
                            if (context.retry() < 2) {
                                throw new TemporaryException("not yet", Duration.ofSeconds(10));
                            }
                            return null;
                        }));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(1));
        wrong.set(step);
        world.runFor(Duration.ofMinutes(1));
        assertThat(calls).containsExactly("children 0 PT0S PT0S", "children 1 PT10S PT10S", "children 2 PT20S PT20S");
    }

    private void noteWhen(HandlerContext context) {
        calls.add(context.handlerId() + " " + context.retry() + " at "
                + Duration.between(Scenario.START, world.now()).toSeconds());
    }

    private OperatorHandle startOn(String machine, UnaryOperator<OperatorBuilder> handlers) {
        return SimulatedOperator.start(new SetPlatform(world.machine(machine), wrong), server, handlers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-2H"})
    @Tag("C27")
    void handlersOfChangesAreTriedAgainWhenTheirPausesAreOver(Duration step) {
        startOn(
                "first",
                builder -> builder.onCreate("kex", "short", context -> {
                            noteWhen(context);
                            if (context.retry() < 2) {
                                throw new TemporaryException("not yet", Duration.ofSeconds(10));
                            }
                            return null;
                        })
                        .onCreate("kex", "long", context -> {
                            noteWhen(context);
                            if (context.retry() == 0) {
                                throw new TemporaryException("not yet", Duration.ofSeconds(25));
                            }
                            context.subHandlers().add("sub", sub -> {
                                noteWhen(sub);
                                if (sub.retry() == 0) {
                                    throw new TemporaryException("not yet", Duration.ofSeconds(10));
                                }
                                return null;
                            });
                            return null;
                        }));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(5));
        wrong.set(step);
        world.runFor(Duration.ofSeconds(1));
        if (step.isNegative()) {
            // An event during the wait, which is no reason to begin it anew.
            server.change("x", "/metadata/labels", Map.of("some", "thing"));
        }
        world.runFor(Duration.ofMinutes(2));
        assertThat(calls)
                .containsExactly(
                        "short 0 at 0",
                        "long 0 at 0",
                        "short 1 at 10",
                        "short 2 at 20",
                        "long 1 at 25",
                        "long/sub 0 at 25",
                        "long 2 at 35",
                        "long/sub 1 at 35");
    }

    /** With limits of its own, or due whenever the handler is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("Q11")
    void aStepIsMadeAgainWhenItsPauseIsOverThoughTheClockIsSetBack(boolean limited) {
        startOn(
                "first",
                builder -> builder.onCreate(
                        "kex", "create", options -> options.backoff(Duration.ofSeconds(10)), context -> {
                            Steps.Step<Object> step = context.steps().step("a");
                            (limited ? step.backoff(Duration.ofSeconds(10)).retries(3) : step).run(() -> {
                                noteWhen(context);
                                if (context.retry() < 1) {
                                    throw new IllegalStateException("no room");
                                }
                            });
                            return null;
                        }));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(5));
        wrong.set(Duration.ofHours(-2));
        world.runFor(Duration.ofMinutes(2));
        assertThat(calls).containsExactly("create 0 at 0", "create 1 at 10");
    }

    /** By less than the time for which the step is tried already: it has begun in the past. */
    @Test
    @Tag("Q11")
    void aStepThatIsTriedForLongIsMadeAgainOnceThoughTheClockIsSetBack() {
        startOn(
                "first",
                builder -> builder.onCreate(
                        "kex", "create", options -> options.backoff(Duration.ofSeconds(60)), context -> {
                            calls.add("called");
                            context.steps()
                                    .step("a")
                                    .backoff(Duration.ofSeconds(60))
                                    .retries(30)
                                    .run(() -> {
                                        noteWhen(context);
                                        throw new IllegalStateException("no room");
                                    });
                            return null;
                        }));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(605));
        wrong.set(Duration.ofMinutes(-5));
        calls.clear();
        world.runFor(Duration.ofSeconds(120));
        assertThat(calls).containsExactly("called", "create 11 at 660", "called", "create 12 at 720");
    }

    /** Its next attempt is due at the same time by the wall clock as the one before. */
    @Test
    @Tag("C27")
    void aHandlerWaitsAnewThoughTheClockIsSetBackByThatWait() {
        startOn(
                "first",
                builder -> builder.onCreate("kex", "create", context -> {
                    noteWhen(context);
                    throw new TemporaryException("not yet", Duration.ofSeconds(60));
                }));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(90));
        wrong.set(Duration.ofSeconds(-60));
        world.runFor(Duration.ofSeconds(120));
        assertThat(calls).containsExactly("create 0 at 0", "create 1 at 60", "create 2 at 120", "create 3 at 180");
    }

    /** Whoever wrote the record had a clock that was 100 days ahead; or that of the next process is an hour behind. */
    @ParameterizedTest
    @CsvSource({"P100D, PT0S, false", "P100D, PT0S, true", "PT0S, PT-1H, false"})
    @Tag("C27")
    void aWaitOfAnotherClockIsNoLongerThanItWasThere(Duration before, Duration after, boolean deleted) {
        Duration timeout = Duration.ofSeconds(50);
        UnaryOperator<OperatorBuilder> handlers = builder -> {
            Handler handler = context -> {
                noteWhen(context);
                calls.add(context.runtime().toString());
                throw new TemporaryException("not yet", Duration.ofSeconds(20));
            };
            return deleted
                    ? builder.onDelete("kex", "handler", options -> options.timeout(timeout), handler)
                    : builder.onCreate("kex", "handler", options -> options.timeout(timeout), handler);
        };
        wrong.set(before);
        OperatorHandle first = startOn("first", handlers);
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(1));
        if (deleted) {
            server.delete("x");
        }
        world.runFor(Duration.ofSeconds(4));
        first.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).hasSize(2);
        calls.clear();
        wrong.set(after);
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            startOn("second", handlers);
            world.runFor(Duration.ofMinutes(2));
            assertThat(calls).containsExactly("handler 1 at 30", "PT20S", "handler 2 at 50", "PT40S");
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.startsWith("warn: "))
                    .singleElement()
                    .asString()
                    .contains(
                            "Handler 'handler' has begun at ",
                            "which is in the future",
                            "It is called again in 20s, and not at ");
        }
        assertThat(server.exists("x")).isNotEqualTo(deleted);
    }

    /** It is stopped in the midst of the calls, or its whole machine is; both have used 2 of 20 seconds by then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("C32")
    void aTimeInWhichTheProcessStoodStillDoesNotCountAgainstATimeout(boolean wholeMachine) {
        Suspension suspension = new Suspension(world);
        Platform machine = new DriftingPlatform(world.machine("first"), 1, Duration.ZERO, suspension);
        SimulatedOperator.start(
                machine,
                server,
                builder -> builder.onCreate(
                                "kex",
                                "create",
                                options ->
                                        options.timeout(Duration.ofSeconds(20)).backoff(Duration.ofSeconds(1)),
                                context -> workAndFailOnce(machine, context))
                        .onTimer(
                                "kex",
                                "tick",
                                options -> options.interval(Duration.ofHours(1))
                                        .timeout(Duration.ofSeconds(20))
                                        .backoff(Duration.ofSeconds(1)),
                                context -> workAndFailOnce(machine, context)));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(2));
        if (wholeMachine) {
            suspension.sleep(Duration.ofSeconds(24));
        } else {
            suspension.begin(Duration.ofSeconds(24));
        }
        world.runFor(Duration.ofSeconds(60));
        assertThat(calls).containsExactlyInAnyOrder("create fails", "tick fails", "create succeeds", "tick succeeds");
    }

    /** It is stopped 40 ms after the call has begun, which needs a little more. */
    @ParameterizedTest
    @ValueSource(longs = {10, 80})
    @Tag("C32")
    void aTimeInWhichTheProcessStoodStillAtTheBeginningOfACallDoesNotCountAgainstATimeout(long left) {
        Suspension suspension = new Suspension(world);
        Platform machine = new DriftingPlatform(world.machine("first"), 1, Duration.ZERO, suspension);
        SimulatedOperator.start(
                machine,
                server,
                builder -> builder.onCreate(
                        "kex",
                        "create",
                        options -> options.timeout(Duration.ofSeconds(20)).backoff(Duration.ofSeconds(1)),
                        context -> {
                            machine.sleep(Duration.ofMillis(40));
                            if (calls.isEmpty()) {
                                suspension.begin(Duration.ofSeconds(24));
                            }
                            machine.sleep(Duration.ofMillis(left));
                            calls.add(context.retry() == 0 ? "fails" : "succeeds");
                            if (context.retry() == 0) {
                                throw new IllegalStateException("not yet");
                            }
                            return null;
                        }));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(60));
        assertThat(calls).containsExactly("fails", "succeeds");
    }

    /** Who looks at the clock each second makes long simulations slow, and short calls, too. */
    @ParameterizedTest
    @CsvSource({
        "change, PT1H, true, true",
        "daemon, PT1H, true, true",
        "change, PT1H, false, false",
        "daemon, PT1H, false, false",
        "change, PT0.05S, true, false",
        "daemon, PT0.05S, true, false"
    })
    void standstillsAreWatchedForDuringLongCallsWhereThereMayBeSome(
            String kind, Duration takes, boolean mayStandStill, boolean watched) {
        SimulatedPlatform real = world.machine("first");
        Platform machine = mayStandStill ? new DriftingPlatform(real, 1, Duration.ZERO, new Suspension(world)) : real;
        Handler handler = context -> {
            machine.sleep(takes);
            calls.add("ends");
            return null;
        };
        SimulatedOperator.start(
                machine,
                server,
                builder -> kind.equals("change")
                        ? builder.onCreate("kex", "x", options -> options.timeout(Duration.ofHours(2)), handler)
                        : builder.onDaemon("kex", "x", options -> options.timeout(Duration.ofHours(2)), handler));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofMillis(800));
        assertThat(world.describeTasks().contains(WATCH)).isEqualTo(watched);
        world.runFor(Duration.ofMinutes(61));
        assertThat(calls).containsExactly("ends");
        assertThat(world.describeTasks()).doesNotContain(WATCH);
    }

    /** Whether at its timeout, or when the operator ends. */
    @ParameterizedTest
    @ValueSource(strings = {"PT20S", "PT24H"})
    void nobodyWatchesForStandstillsForADaemonThatIsLeftBehind(Duration timeout) {
        Platform machine = new DriftingPlatform(world.machine("first"), 1, Duration.ZERO, new Suspension(world));
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                server,
                builder -> builder.onDaemon(
                        "kex",
                        "deaf",
                        options -> options.timeout(timeout).cancellationTimeout(Duration.ofSeconds(1)),
                        context -> {
                            while (true) {
                                try {
                                    machine.sleep(Duration.ofDays(100));
                                } catch (InterruptedException e) {
                                    calls.add("is interrupted");
                                }
                            }
                        }));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(2));
        assertThat(world.describeTasks()).contains(WATCH);
        if (timeout.compareTo(Duration.ofHours(1)) > 0) {
            operator.stop();
        }
        world.runFor(Duration.ofMinutes(3));
        assertThat(calls).isNotEmpty();
        assertThat(world.describeTasks()).contains("deaf").doesNotContain(WATCH);
    }

    private @Nullable Object workAndFailOnce(Platform machine, HandlerContext context) throws InterruptedException {
        for (int second = 0; second < 4; second++) {
            machine.sleep(Duration.ofSeconds(1));
        }
        calls.add(context.handlerId() + (context.retry() == 0 ? " fails" : " succeeds"));
        if (context.retry() == 0) {
            throw new IllegalStateException("not yet");
        }
        return null;
    }

    @Test
    @Tag("C32")
    void aCallInTheMidstOfWhichTheClockIsSetForwardHasItsTimeAllTheSame() {
        SetPlatform machine = new SetPlatform(world.machine("first"), wrong);
        SimulatedOperator.start(
                machine,
                server,
                builder -> builder.onCreate(
                        "kex",
                        "create",
                        options -> options.timeout(Duration.ofSeconds(30)).backoff(Duration.ofSeconds(1)),
                        context -> workAndFailOnce(machine, context)));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(2));
        wrong.set(Duration.ofMinutes(10));
        world.runFor(Duration.ofSeconds(3));
        assertThat(server.object("x").toString()).contains("\\\"late\\\":600");
        world.runFor(Duration.ofSeconds(20));
        assertThat(calls).containsExactly("create fails", "create succeeds");
    }

    /** Nobody is to be waited for who works on and on. */
    @Test
    @Tag("C32")
    void aTimeoutIsKeptWhereTheProcessStandsStillForLess() {
        Suspension suspension = new Suspension(world);
        Platform machine = new DriftingPlatform(world.machine("first"), 1, Duration.ZERO, suspension);
        SimulatedOperator.start(
                machine,
                server,
                builder -> builder.onCreate(
                        "kex", "create", options -> options.timeout(Duration.ofSeconds(20)), context -> {
                            try {
                                machine.sleep(Duration.ofHours(1));
                                return null;
                            } finally {
                                calls.add("ends at "
                                        + Duration.between(Scenario.START, world.now())
                                                .toSeconds());
                            }
                        }));
        world.runFor(Duration.ofSeconds(1));
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(2));
        suspension.begin(Duration.ofSeconds(10));
        world.runFor(Duration.ofSeconds(60));
        assertThat(calls).hasSize(1).first().asString().isIn("ends at 30", "ends at 31");
    }

    @Test
    void theSteadyClockFollowsTheMonotonicOne() {
        JumpingPlatform machine = new JumpingPlatform();
        SteadyPlatform steady = new SteadyPlatform(machine);
        Instant begun = steady.now();
        machine.jump(Duration.ofHours(1));
        assertThat(Duration.between(begun, steady.now())).isBetween(Duration.ofHours(1), Duration.ofMinutes(70));
        assertThat(Duration.between(begun, machine.now())).isLessThan(Duration.ofMinutes(10));
    }
}
