package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When an operator answers to probes, through real sockets. Tests {@link OperatorEndpoints}. */
class OperatorEndpointsTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final FakeApiServer server = new FakeApiServer(world, false);
    private final List<String> seen = new ArrayList<>();

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        } catch (IOException e) {
            throw new AssertionError("neither open nor closed", e);
        }
    }

    @Test
    @Tag("L53")
    void thereIsNobodyToAskBeforeTheStartUpIsOverNorAfterTheEnd() throws Exception {
        int port = freePort();
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .liveness("http://localhost:" + port + "/healthz")
                .onStartup("startup", context -> {
                    seen.add("startup " + listens(port));
                    return null;
                })
                .onEvent("kex", "event", context -> {
                    seen.add("event " + listens(port));
                    return null;
                })
                .onCleanup("cleanup", context -> {
                    seen.add("cleanup " + listens(port));
                    return null;
                }));
        server.create(Scenario.example());
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(2));
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(handle.hasEnded()).isTrue();
        assertThat(seen).containsExactly("startup false", "event true", "cleanup true");
        assertThat(listens(port)).isFalse();
    }

    /** Registries keep it for much longer. */
    @Test
    void whoeverAsksForTheStateAfterTheEndHearsThatItIsOver() {
        List<Supplier<OperatorState>> observed = new ArrayList<>();
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .metricsListener(new MetricsListener() {
                    @Override
                    public void observe(Supplier<OperatorState> state) {
                        observed.add(state);
                    }
                })
                .onEvent("kex", "event", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(2));
        Supplier<OperatorState> state = observed.getFirst();
        assertThat(state.get().ready()).isTrue();
        assertThat(state.get().streams()).isNotEmpty();
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(state.get())
                .isSameAs(state.get())
                .isEqualTo(handle.state())
                .isEqualTo(
                        new OperatorState(false, List.of("the operator has ended"), List.of(), List.of(), false, null));
    }

    @Test
    @Tag("K04")
    void theHandleTellsWhatTheProbesSay() {
        var plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .onStartup("startup", context -> {
                    world.sleep(Duration.ofSeconds(5));
                    return null;
                })
                .onProbe("database", context -> {
                    if (world.now().isAfter(Scenario.START.plusSeconds(15))) {
                        throw new IllegalStateException("no route");
                    }
                    return "reachable";
                })
                .onEvent("kex", "event", context -> null));
        var handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        for (int moment = 0; moment < 3; moment++) {
            world.runFor(Duration.ofSeconds(3));
            ask(handle);
            world.runFor(Duration.ofSeconds(7));
        }
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        ask(handle);
        world.runFor(Duration.ofSeconds(1));
        assertThat(seen)
                .containsExactly(
                        "{}",
                        "{database=reachable}",
                        "One or more handlers of the probe activity failed: 'database': no route",
                        "{}");
    }

    @Test
    @Tag("K04")
    void troublesOfTheProcessFailLivenessAndReadiness() {
        var builder = Operator.builder().clusterwide().onEvent("kex", "event", context -> null);
        List<String> troubles = new ArrayList<>();
        OperatorPlan.processTroubles(builder, () -> List.copyOf(troubles));
        var handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        new OperatorEnvironment(world, new FakeClusterAccess(server.transport(world))))
                .start();
        world.runFor(Duration.ofSeconds(2));
        assertThat(handle.state().troubles()).isEmpty();
        troubles.add("the log is stuck");
        assertThat(handle.state().troubles()).containsExactly("the log is stuck");
        ask(handle);
        world.runFor(Duration.ofSeconds(2));
        troubles.clear();
        assertThat(handle.state().troubles()).isEmpty();
        ask(handle);
        handle.stop();
        world.runFor(Duration.ofSeconds(5));
        assertThat(seen).containsExactly("the log is stuck", "{}");
    }

    private void ask(OperatorHandle handle) {
        var _ = world.spawn("asking", () -> {
            try {
                seen.add(handle.probe().toString());
            } catch (OperatorException e) {
                seen.add(e.getMessage());
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
    }
}
