package dev.kopf4j.benchmarks;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.ServerInProcess;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures parents with three children each, in this process and on a dev cluster in memory: how long a new operator
 * takes to compare them all, what it requests, and what it keeps in memory at rest.
 */
final class ChildrenTrial {
    private static final String WEBSITES = "/apis/kopf.dev/v1/namespaces/default/websites";

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: websites.kopf.dev}
            spec:
              scope: Namespaced
              group: kopf.dev
              names: {kind: Website, plural: websites, singular: website}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    private static final String CHILDREN = """
            apiVersion: v1
            kind: ConfigMap
            data: {index.html: "${spec.text}"}
            ---
            apiVersion: apps/v1
            kind: Deployment
            spec:
              replicas: ${spec.replicas}
              selector: {matchLabels: {website: "${metadata.name}"}}
              template:
                metadata: {labels: {website: "${metadata.name}"}}
                spec: {containers: [{name: web, image: "nginx:1.29", ports: [{containerPort: 80}]}]}
            ---
            apiVersion: v1
            kind: Service
            spec: {selector: {website: "${metadata.name}"}, ports: [{port: 80}]}
            """;

    private final int parents;
    private final SystemPlatform platform = new SystemPlatform();
    private final AtomicInteger calls = new AtomicInteger();

    ChildrenTrial(int parents) {
        this.parents = parents;
    }

    /** What one start of an operator has taken. */
    private record Run(double seconds, int changes, int changesAtRest, long bytes) {}

    void report() throws InterruptedException {
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            cluster.apply(DEFINITION);
            for (int i = 0; i < parents; i++) {
                create(cluster, i);
            }
            Run first = measured(cluster);
            Run again = measured(cluster);
            System.out.printf("| | first start | restart |%n|---|---|---|%n");
            System.out.printf(
                    "| until all %,d parents with 3 children each are compared | %.1f s | %.1f s |%n",
                    parents, first.seconds(), again.seconds());
            System.out.printf("| requests that change something | %,d | %,d |%n", first.changes(), again.changes());
            System.out.printf(
                    "| the same in 10 s at rest | %,d | %,d |%n", first.changesAtRest(), again.changesAtRest());
            System.out.printf(
                    "| bytes per parent at rest, its children included | %,d | %,d |%n",
                    first.bytes() / parents, again.bytes() / parents);
        }
    }

    private static void create(DevCluster cluster, int number) {
        String website = """
                {"apiVersion": "kopf.dev/v1", "kind": "Website", "metadata": {"name": "website-%05d"},
                 "spec": {"text": "some text of website %d", "replicas": 0}}
                """.formatted(number, number);
        var response = cluster.handle(ApiRequest.of(
                "POST",
                WEBSITES,
                Map.of("Authorization", "Bearer " + cluster.token(), "Content-Type", "application/json"),
                website.getBytes(StandardCharsets.UTF_8)));
        if (response.status() != 201) {
            throw new IllegalStateException("a website could not be created: " + response.status());
        }
    }

    /** The cluster is in the same heap: what is gone when the operator has stopped was the operator's. */
    private Run measured(DevCluster cluster) throws InterruptedException {
        Run run = run(cluster);
        return new Run(run.seconds(), run.changes(), run.changesAtRest(), run.bytes() - HeapSize.used());
    }

    private Run run(DevCluster cluster) throws InterruptedException {
        calls.set(0);
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .onReconcile(
                        "websites",
                        "children",
                        options -> options.children("configmaps", "deployments.v1.apps", "services"),
                        context -> {
                            calls.incrementAndGet();
                            return CHILDREN;
                        });
        ServerInProcess server = new ServerInProcess(platform, cluster);
        long start = platform.nanos();
        OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder), new OperatorEnvironment(platform, new InMemoryAccess(server)))
                .start();
        while (calls.get() < parents) {
            platform.sleep(Duration.ofMillis(20));
        }
        double seconds = (platform.nanos() - start) / 1e9;
        platform.sleep(Duration.ofSeconds(10));
        int changes = server.changes();
        platform.sleep(Duration.ofSeconds(10));
        int atRest = server.changes() - changes;
        long running = HeapSize.used();
        handle.close();
        return new Run(seconds, changes, atRest, running);
    }
}
