package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.memory.HeapSize;
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

/** Counts the bytes of parents with three children each: what is gone when the operator has stopped was its own. */
final class ParentCount {
    private static final int PARENTS = 300;
    private static final int CHILDREN = 3;

    private static final String WANTED = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "${metadata.name}-1"}
            data: {size: "${spec.size}"}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "${metadata.name}-2"}
            data: {size: "${spec.size}"}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: "${metadata.name}-3"}
            spec: {selector: {app: bench}, ports: [{port: 80}]}
            """;

    private ParentCount() {}

    static Counts count() throws InterruptedException {
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            cluster.apply(SampleObjects.definitions(true));
            LocalClient client = new LocalClient(cluster);
            for (int i = 0; i < PARENTS; i++) {
                client.create(
                        SampleObjects.PATH, new String(SampleObjects.body("Sample", "s" + i), StandardCharsets.UTF_8));
            }
            run(cluster, PARENTS * (CHILDREN + 1));
            long running = run(cluster, 0);
            return new Counts(Map.of(CountLimit.PARENT, (running - HeapSize.used()) / (double) PARENTS));
        }
    }

    /** The heap with such an operator that has compared all, which takes so many requests that change something. */
    private static long run(DevCluster cluster, int changes) throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, Instant.parse("2026-01-01T00:00:00Z"));
        ServerInProcess server = new ServerInProcess(platform, cluster);
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .settings(settings -> settings.recorder().memory(0)) // a limit of its own, and no part of an object
                .onReconcile(
                        "samples.bench.kopf4j.dev",
                        "children",
                        options -> options.children("configmaps", "services"),
                        context -> WANTED);
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder), new OperatorEnvironment(platform, new InMemoryAccess(server)))
                .start()) {
            platform.runFor(Duration.ofMinutes(1));
            if (server.changes() != changes) {
                throw new IllegalStateException(server.changes() + " requests instead of " + changes);
            }
            long bytes = HeapSize.used();
            handle.stop();
            platform.runFor(Duration.ofMinutes(1));
            return bytes;
        }
    }
}
