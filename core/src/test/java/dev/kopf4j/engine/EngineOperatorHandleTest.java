package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Kopf;
import dev.kopf4j.Memo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/**
 * How an application starts, awaits and stops an operator that it embeds: tests
 * {@link EngineOperator.EngineOperatorHandle}. What happens when parts fail is in {@code ActivityRunnerTest} and
 * {@code OrchestratorTest}.
 */
class EngineOperatorHandleTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final FakeApiServer server = new FakeApiServer(world, false);
    private final List<String> calls = new ArrayList<>();

    private Operator operator(SimulatedPlatform machine, String name, int priority) {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .settings(s -> s.peering().priority(priority))
                .onStartup("startup", ctx -> {
                    calls.add(name + " starts with " + ctx.settings().peering().priority());
                    ctx.settings().peering().priority(priority + 1);
                    return null;
                })
                .onEvent("kex", "event", ctx -> {
                    calls.add(name + " sees " + ctx.name());
                    return null;
                })
                .onCleanup("cleanup", ctx -> {
                    calls.add(name + " ends with " + ctx.settings().peering().priority());
                    return null;
                }));
        return OperatorAssembly.assemble(
                plan, new OperatorEnvironment(machine, new FakeClusterAccess(server.transport(machine))));
    }

    @Test
    @Tag("K07")
    @Tag("L50")
    void runBlocksUntilItsThreadIsInterrupted() {
        Operator operator = operator(world, "one", 1);
        List<String> after = new ArrayList<>();
        Task embedder = world.spawn("embedder", () -> {
            operator.run();
            after.add("returned, interrupted: " + Thread.currentThread().isInterrupted());
        });
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("one starts with 1");
        assertThat(after).isEmpty();
        embedder.interrupt();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("one starts with 1", "one ends with 2");
        assertThat(after).containsExactly("returned, interrupted: true");
    }

    @ParameterizedTest
    @Tag("K17")
    @ValueSource(strings = {"", "team-*"})
    void startUpHandlersKnowTheScope(String namespace) {
        var builder = Operator.builder()
                .onStartup(
                        "startup",
                        context -> calls.add(
                                "clusterwide " + context.settings().peering().clusterwide()))
                .onEvent("kex", "event", context -> null);
        if (!namespace.isEmpty()) {
            builder.namespaces(namespace);
        }
        var handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(2));
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("clusterwide " + namespace.isEmpty());
    }

    @ParameterizedTest
    @Tag("K01")
    @ValueSource(strings = {"", "*", "team-*"})
    void warnsOnceAtTheStartIfNobodyHasSaidWhere(String scope) {
        var builder = Operator.builder().onEvent("kex", "event", context -> null);
        switch (scope) {
            case "" -> {}
            case "*" -> builder.clusterwide();
            default -> builder.namespaces(scope);
        }
        try (ObjectLogCapture log = new ObjectLogCapture("kopf4j.operator")) {
            var handle = OperatorAssembly.assemble(
                            OperatorPlan.of(builder),
                            new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                    .start();
            world.runFor(Duration.ofMinutes(2));
            handle.stop();
            world.runFor(Duration.ofSeconds(5));
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("whole cluster"))
                    .hasSize(scope.isEmpty() ? 1 : 0)
                    .allMatch(line -> line.contains("clusterwide()") && line.contains("namespaces(...)"));
        }
    }

    @Test
    @Tag("L50")
    void operatorsRunInAnyThreadAndEndByTheirHandle() {
        List<String> after = new ArrayList<>();
        var handle = operator(world, "one", 1).start();
        world.spawn("waiting", () -> {
            try {
                handle.join();
                after.add("joined");
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
        world.runFor(Duration.ofSeconds(5));
        assertThat(after).isEmpty();
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("one starts with 1", "one ends with 2");
        assertThat(after).containsExactly("joined");
    }

    /** Applications keep handles, as for the exit code, or for what monitors ask. */
    @Test
    @Tag("L50")
    void aHandleThatIsKeptAfterTheEndKeepsNoObjects() {
        List<WeakReference<Object>> indexed = new ArrayList<>();
        var plan = OperatorPlan.of(Operator.builder().clusterwide().onIndex("kex", "index", context -> {
            Object value = new Object();
            indexed.add(new WeakReference<>(value));
            return Map.of(context.name(), value);
        }));
        server.create(Scenario.example("x"));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(5));
        System.gc();
        assertThat(indexed).singleElement().extracting(WeakReference::get).isNotNull();
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        for (int i = 0; i < 20 && indexed.getFirst().get() != null; i++) {
            System.gc();
        }
        assertThat(indexed.getFirst().get()).isNull();
        assertThat(handle.state().troubles()).containsExactly("the operator has ended");
    }

    @Test
    @Tag("L50")
    void operatorsEndByTheirStopCondition() {
        boolean[] stop = {false};
        var monitor = world.monitor();
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .stopWhen(() -> monitor.awaitTrue(() -> stop[0], Deadline.NEVER))
                .onCleanup("cleanup", context -> calls.add("cleanup"))
                .onEvent("kex", "event", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(5));
        assertThat(handle.hasEnded()).isFalse();
        monitor.locked(() -> {
            stop[0] = true;
        });
        world.runFor(Duration.ofSeconds(5));
        assertThat(handle.hasEnded()).isTrue();
        assertThat(calls).containsExactly("cleanup");
    }

    /** Kotlin and Groovy do not ask whether an exception is checked. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception thrown) throws E {
        throw (E) thrown;
    }

    private static Stream<Exception> failures() {
        String text = "the queue is gone";
        return Stream.of(new IllegalStateException(text), new IOException(text), new InterruptedException(text));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("L50")
    void anOperatorWhoseStopConditionFailsHasFailed(Exception failure) {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .stopWhen(() -> EngineOperatorHandleTest.<RuntimeException>sneak(failure))
                .onCleanup("cleanup", context -> calls.add("cleanup"))
                .onEvent("kex", "event", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(5));
        assertThat(handle.hasEnded()).isTrue();
        assertThatThrownBy(handle::join).hasMessageContaining("the queue is gone");
    }

    @Test
    @Tag("L50")
    void aStopConditionThatWrapsItsInterruptionFailsNoOperatorThatStops() throws InterruptedException {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .stopWhen(() -> {
                    try {
                        world.sleep(Duration.ofDays(1));
                    } catch (InterruptedException e) {
                        calls.add("interrupted");
                        throw new IllegalStateException("wrapped", e);
                    }
                })
                .onEvent("kex", "event", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(5));
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("interrupted");
        assertThat(handle.hasEnded()).isTrue();
        handle.join();
    }

    /** It was asked to stop while the cleanup of a start that has failed goes on. */
    @Test
    @Tag("L50")
    void aStartThatHasFailedHasFailedAlsoIfItIsAskedToStop() {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .settings(s -> s.persistence().prefix("kopf.zalando.org"))
                .onStartup("startup", context -> calls.add("startup"))
                .onCleanup("cleanup", context -> {
                    world.sleep(Duration.ofSeconds(2));
                    return calls.add("cleanup");
                })
                .onValidate("kex", "check", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(1));
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(handle.hasEnded()).isTrue();
        assertThat(calls).containsExactly("startup", "cleanup");
        assertThatThrownBy(handle::join).hasMessageContaining("K4-018");
    }

    /** As operators do that handle what exists, and end. */
    @Test
    @Tag("K06")
    void anOperatorMayBeClosedWhenItIsReady() {
        OperatorHandle[] handle = new OperatorHandle[1];
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .whenReady(() -> {
                    handle[0].close();
                    calls.add("closed, ended: " + handle[0].hasEnded());
                })
                .onCleanup("cleanup", context -> calls.add("cleanup"))
                .onEvent("kex", "event", context -> null));
        handle[0] = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("cleanup", "closed, ended: true");
    }

    private OperatorHandle clusterOf(String name, FakeApiServer itsServer) {
        Memo memo = new Memo();
        memo.put("of", name);
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .memo(memo)
                .onIndex("kex", "names", context -> Map.of(context.name(), name))
                .onCreate("kex", "create", context -> {
                    Kopf.info("Created", "by " + name);
                    calls.add(name + " creates " + context.name() + " among "
                            + context.index("names").keySet() + " with " + context.memo() + " in the log of "
                            + MDC.get("object"));
                    return name;
                }));
        return OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(itsServer.transport(world))))
                .start();
    }

    @Test
    @Tag("L51")
    void operatorsOfOneProcessHaveTheirOwnClustersMemosIndicesEventsAndLogs() {
        FakeApiServer other = new FakeApiServer(world, false);
        var one = clusterOf("one", server);
        var two = clusterOf("two", other);
        world.runFor(Duration.ofSeconds(2));
        server.create(Scenario.example("x"));
        other.create(Scenario.example("y"));
        world.runFor(Duration.ofSeconds(2));
        assertThat(calls)
                .containsExactlyInAnyOrder(
                        "one creates x among [x] with {of=one} in the log of ns/x",
                        "two creates y among [y] with {of=two} in the log of ns/y");
        assertThat(server.object("x").at("/status/create").asString()).isEqualTo("one");
        assertThat(other.object("y").at("/status/create").asString()).isEqualTo("two");
        assertThat(server.events()).singleElement().asString().contains("by one");
        assertThat(other.events()).singleElement().asString().contains("by two");
        one.stop();
        two.stop();
        world.runFor(Duration.ofSeconds(5));
    }

    @Test
    void handlersTakeTurnsIfTheirNumberIsLimited() {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .settings(s -> s.execution().maxWorkers(1))
                .onCreate("kex", "make", ctx -> {
                    calls.add(ctx.name() + " begins");
                    ctx.subHandlers().add("sub", sub -> {
                        world.sleep(Duration.ofSeconds(1));
                        return null;
                    });
                    world.sleep(Duration.ofSeconds(1));
                    calls.add(ctx.name() + " ends");
                    return null;
                }));
        for (String name : List.of("x", "y", "z")) {
            server.create(Scenario.example(name));
        }
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(20));
        assertThat(calls).hasSize(6);
        for (int call = 0; call < calls.size(); call += 2) {
            assertThat(calls.get(call + 1)).isEqualTo(calls.get(call).replace("begins", "ends"));
        }
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
    }

    @Test
    @Tag("K07")
    @Tag("K08")
    @Tag("L51")
    void operatorsOfOneProcessHaveTheirOwnSettingsAndHandlersAndEnds() {
        var one = operator(world, "one", 1).start();
        var two = operator(world, "two", 20).start();
        world.runFor(Duration.ofSeconds(2));
        assertThat(calls).containsExactlyInAnyOrder("one starts with 1", "two starts with 20");
        calls.clear();
        one.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(one.hasEnded()).isTrue();
        server.create(Scenario.example());
        world.runFor(Duration.ofSeconds(2));
        assertThat(calls).containsExactly("one ends with 2", "two sees x");
        assertThat(two.hasEnded()).isFalse();
        assertThat(two.settings().peering().priority()).isEqualTo(21);
        two.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(two.hasEnded()).isTrue();
    }
}
