package dev.kopf4j.testing.environment;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.testing.recording.RecordingPlatform;
import dev.kopf4j.virtual.SimulatedCluster;
import dev.kopf4j.virtual.SimulatedWebhooks;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A simulation: cluster, operators and clients without sockets, on one clock. Confined to the test's thread. */
public final class VirtualEnvironment implements TestEnvironment {
    private static final Duration PATIENCE = Duration.ofHours(1);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SimulatedPlatform world;
    private final Recording recording;
    private final SimulatedCluster cluster;
    private final Optional<ServiceAccountLogin> login;
    private final KubernetesClient client;
    private SimulatedPlatform machine;
    private int machines;
    private final List<OperatorPlan> plans = new ArrayList<>();
    private boolean waited;

    /**
     * A simulation of its own.
     *
     * @param seed what is drawn at random
     * @param login as whom the operator logs in; empty for the administrator
     */
    public VirtualEnvironment(long seed, Options options, Optional<ServiceAccountLogin> login) {
        this.world = new SimulatedPlatform(seed, START);
        this.recording = new Recording(world);
        this.cluster = new SimulatedCluster(world, options.requestListener(this::answered));
        this.login = login;
        this.machine = world.machine("test");
        this.client = TestClients.open(cluster, machine, cluster.network());
    }

    private void answered(ApiRequest request, ApiResponse response) {
        recording.answered(request, response);
        PostedEvents.in(request, response).ifPresent(recording::posted);
    }

    @Override
    public Platform platform() {
        return world;
    }

    @Override
    public Recording recording() {
        return recording;
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Optional<TestClock> clock() {
        return Optional.of(new TestClock() {
            @Override
            public void advance(Duration time) {
                waited = true;
                world.runFor(time);
            }

            @Override
            public Instant now() {
                return world.now();
            }
        });
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public Operator assemble(OperatorBuilder builder) {
        machine = world.machine("operator-" + ++machines);
        String token = login.map(each -> each.token(cluster.server()::handle, cluster.adminToken()))
                .orElse(cluster.adminToken());
        OperatorPlan plan = OperatorPlan.of(builder);
        plans.add(plan);
        SimulatedWebhooks.manage(plan.settings());
        return OperatorAssembly.assemble(
                plan,
                cluster.environment(
                        machine, own -> new RecordingPlatform(own, recording), cluster.network(), token, recording));
    }

    /**
     * Threads outside of the simulation, whose exceptions are lost; and a test that never waits for what it has written
     * to be handled, unless it is about webhooks or conversions, which requests wait for. An operator that watches
     * objects makes the server convert by itself, so that conversions tell nothing of its tests.
     */
    @Override
    public List<String> misuse() {
        List<String> found = new ArrayList<>(world.intrusions());
        boolean wrote = recording.requests().stream()
                .anyMatch(request -> !request.byOperator()
                        && request.isWrite()
                        && request.status() < 300
                        && !request.path().contains("/customresourcedefinitions"));
        boolean asked = cluster.webhooks().haveReviewed() || (cluster.webhooks().haveConverted() && !watches());
        if (machines > 0 && wrote && !asked && !waited) {
            found.add(
                    "the test does not wait for the operator: what it has written may not be handled yet when it looks;"
                            + " call operator.awaitHandled(object), awaitIdle(), or advance of a TestClock");
        }
        return found;
    }

    /** True if an operator has handlers that nobody waits for. */
    private boolean watches() {
        return plans.stream()
                .map(plan -> RegistryBuilder.survey(plan.registrations(), OperatorMemos.type(plan.memo())))
                .anyMatch(registry -> !registry.watching().isEmpty());
    }

    @Override
    public void waits() {
        waited = true;
    }

    @Override
    public void kill() {
        machine.kill();
        world.runFor(Duration.ofMillis(1));
        recording.killed();
    }

    @Override
    public Set<String> kinds() {
        return ServedKinds.of(cluster.server()::look, cluster.adminToken());
    }

    @Override
    public TestCluster cluster() {
        return new DevTestCluster(
                cluster.server().faults(), cluster::apply, cluster.server()::compact, cluster.server()::handle);
    }

    @Override
    public void close() {
        machine.kill();
        client.close();
        world.end();
        if (world.isLeftBusy()) {
            SpareCarriers.add();
        }
    }
}
