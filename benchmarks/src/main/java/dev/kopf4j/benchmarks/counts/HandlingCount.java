package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.LocalClient;
import dev.kopf4j.benchmarks.memory.ServerInProcess;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Counts what the handling of created objects takes, in simulated time and on a dev cluster in this process: the same
 * seed gives the same run, whatever else the machine does.
 */
final class HandlingCount {
    private static final int WARM_UP = 300;
    private static final int OBJECTS = 500;
    private static final int AT_A_TIME = 10;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SimulatedPlatform platform = new SimulatedPlatform(1, START);
    private final LocalClient client;
    private final MeteredServer server;
    private int created;
    private long allocated;

    private HandlingCount(DevCluster cluster) {
        this.client = new LocalClient(cluster);
        this.server = new MeteredServer(new ServerInProcess(platform, cluster));
    }

    static Counts count() {
        // The cluster does nothing by itself, as its time stands still: how long the run takes must not matter.
        try (DevCluster cluster = DevCluster.start(Options.defaults().manualClock(START))) {
            cluster.apply(SampleObjects.DEFINITIONS);
            return new HandlingCount(cluster).run();
        }
    }

    private Counts run() {
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .onCreate(
                        "samples.bench.kopf4j.dev",
                        "make",
                        context -> Map.of(
                                "made", context.name(), "size", context.spec().getString("size", "")));
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder), new OperatorEnvironment(platform, new InMemoryAccess(server)))
                .start()) {
            platform.runFor(Duration.ofSeconds(10));
            handle(WARM_UP);
            int requests = server.requests();
            int patches = server.patches();
            allocated = 0;
            handle(OBJECTS);
            Counts counts = new Counts(Map.of(
                    CountLimit.PATCHES, (server.patches() - patches) / (double) OBJECTS,
                    CountLimit.REQUESTS, (server.requests() - requests) / (double) OBJECTS,
                    CountLimit.ALLOCATED, (double) allocated / OBJECTS,
                    CountLimit.REQUESTS_AT_REST, (double) requestsInAnHour()));
            handle.stop();
            platform.runFor(Duration.ofMinutes(1));
            return counts;
        }
    }

    private int requestsInAnHour() {
        int before = server.requests();
        platform.runFor(Duration.ofHours(1));
        return server.requests() - before;
    }

    /** The objects come some at a time, and the next ones when these have been patched. */
    private void handle(int objects) {
        for (int left = objects; left > 0; left -= AT_A_TIME) {
            for (int i = 0; i < AT_A_TIME; i++) {
                String name = "s" + created++;
                client.create(
                        SampleObjects.PATH, new String(SampleObjects.body("Sample", name), StandardCharsets.UTF_8));
            }
            int expected = server.patches() + AT_A_TIME;
            long before = server.allocated();
            if (!platform.runUntil(() -> server.patches() >= expected, LIMIT)) {
                throw new IllegalStateException(
                        (expected - server.patches()) + " objects were not patched:\n" + platform.describeTasks());
            }
            platform.runFor(Duration.ofSeconds(1));
            allocated += server.allocated() - before;
        }
    }
}
