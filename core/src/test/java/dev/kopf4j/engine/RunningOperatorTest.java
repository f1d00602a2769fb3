package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How an application starts, awaits and stops an operator that it embeds: tests {@link RunningOperator}. What happens
 * when parts fail is in {@code ActivityRunnerTest} and {@code OrchestratorTest}.
 */
class RunningOperatorTest {
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
