package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.SharedOperatorProcess;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures what more replicas are good for: processes whose handler takes a fixed time, one call at a time, share the
 * objects of a dev cluster. How many shards move is counted when a replica joins, and when one leaves.
 */
final class ShardTrial {
    private static final int SHARDS = 64;
    private static final int CALL_MILLIS = 20;
    private static final List<Integer> REPLICAS = List.of(1, 2, 4);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/kopf4j";

    private final BenchmarkPlan plan;
    private final SystemPlatform platform = new SystemPlatform();
    private int created;

    ShardTrial(BenchmarkPlan plan) {
        this.plan = plan;
    }

    void report() throws IOException, InterruptedException {
        Path kubeconfig = Files.createTempFile("kopf4j", ".kubeconfig");
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            cluster.writeKubeconfig(kubeconfig);
            cluster.apply(SampleObjects.DEFINITIONS);
            System.out.printf("| replicas | objects/s | ratio | shards moved by the last to join | s until shared |%n");
            System.out.printf("|---|---|---|---|---|%n");
            shared(cluster, kubeconfig);
            System.out.printf(Locale.ROOT, "| 1, without shards | %.0f | | | |%n", alone(cluster, kubeconfig));
        } finally {
            Files.delete(kubeconfig);
        }
    }

    private double alone(DevCluster cluster, Path kubeconfig) throws InterruptedException {
        try (ChildProcess replica = start(kubeconfig, 0)) {
            String _ = replica.line();
            double _ = throughput(cluster, List.of(replica)); // warms up
            return throughput(cluster, List.of(replica));
        }
    }

    private void shared(DevCluster cluster, Path kubeconfig) throws InterruptedException {
        List<ChildProcess> replicas = new ArrayList<>();
        double one = 0;
        try {
            while (replicas.size() < REPLICAS.getLast()) {
                Map<Integer, String> before = holders(cluster);
                ChildProcess joining = start(kubeconfig, SHARDS);
                replicas.add(joining);
                String _ = joining.line();
                long start = platform.nanos();
                Map<Integer, String> after = awaitShared(cluster, replicas.size());
                double seconds = (platform.nanos() - start) / 1e9;
                if (REPLICAS.contains(replicas.size())) {
                    double _ = throughput(cluster, replicas); // warms up
                    double each = throughput(cluster, replicas);
                    one = one == 0 ? each : one;
                    System.out.printf(
                            Locale.ROOT,
                            "| %d | %.0f | %.2f | %d of %d | %.1f |%n",
                            replicas.size(),
                            each,
                            each / one,
                            moved(before, after),
                            SHARDS,
                            seconds);
                }
            }
            Map<Integer, String> before = holders(cluster);
            replicas.removeLast().close();
            System.out.printf(
                    "| %d after one has left | | | %d of %d | |%n",
                    replicas.size(), moved(before, awaitShared(cluster, replicas.size())), SHARDS);
        } finally {
            replicas.forEach(ChildProcess::close);
        }
    }

    private ChildProcess start(Path kubeconfig, int shards) {
        return ChildProcess.start(
                SharedOperatorProcess.class,
                plan.process().jvmOptions(),
                kubeconfig.toString(),
                String.valueOf(shards),
                String.valueOf(CALL_MILLIS));
    }

    /** How many objects a second are handled. */
    private double throughput(DevCluster cluster, List<ChildProcess> replicas) throws InterruptedException {
        int calls = calls(replicas);
        int objects = plan.load().objects();
        long start = platform.nanos();
        for (int i = 0; i < objects; i++) {
            ApiResponse response =
                    request(cluster, "POST", SampleObjects.PATH, SampleObjects.body("Sample", "s" + created++));
            if (response.status() != 201) {
                throw new IllegalStateException("an object could not be created: " + response.status());
            }
        }
        while (calls(replicas) < calls + objects) {
            checkPatience(start);
            platform.sleep(Duration.ofMillis(20));
        }
        double seconds = (platform.nanos() - start) / 1e9;
        platform.sleep(Duration.ofSeconds(1)); // the last patches
        return objects / seconds;
    }

    private static int calls(List<ChildProcess> replicas) {
        return replicas.stream()
                .mapToInt(each -> Integer.parseInt(each.ask("calls")))
                .sum();
    }

    private static ApiResponse request(DevCluster cluster, String method, String path, byte[] body) {
        Map<String, String> headers =
                Map.of("Authorization", "Bearer " + cluster.token(), "Content-Type", "application/json");
        return cluster.handle(ApiRequest.of(method, path, headers, body));
    }

    /** Waits until so many replicas have as many shards as the others, or one more. */
    private Map<Integer, String> awaitShared(DevCluster cluster, int replicas) throws InterruptedException {
        long start = platform.nanos();
        while (true) {
            Map<Integer, String> holders = holders(cluster);
            Map<String, Integer> counts = new TreeMap<>();
            holders.values().forEach(each -> counts.merge(each, 1, Integer::sum));
            if (holders.size() == SHARDS
                    && counts.size() == replicas
                    && counts.values().stream().allMatch(each -> each >= SHARDS / replicas)) {
                return holders;
            }
            checkPatience(start);
            platform.sleep(Duration.ofMillis(20));
        }
    }

    private void checkPatience(long start) {
        if (platform.nanos() - start > PATIENCE.toNanos()) {
            throw new IllegalStateException("it has taken longer than " + PATIENCE.toSeconds() + " s");
        }
    }

    private static int moved(Map<Integer, String> before, Map<Integer, String> after) {
        return (int) after.entrySet().stream()
                .filter(each ->
                        before.containsKey(each.getKey()) && !each.getValue().equals(before.get(each.getKey())))
                .count();
    }

    /** Who has which shard, as the lease of the group says. */
    private static Map<Integer, String> holders(DevCluster cluster) {
        Map<Integer, String> holders = new TreeMap<>();
        ApiResponse response = request(cluster, "GET", LEASE, new byte[0]);
        if (response.status() != 200) {
            return holders;
        }
        byte[] lease = ((ApiResponse.Whole) response.body()).bytes();
        String assignment = JsonMapper.shared()
                .readTree(new String(lease, StandardCharsets.UTF_8))
                .path("metadata")
                .path("annotations")
                .path("kopf4j.dev/shard-assignment")
                .asString("{}");
        for (Map.Entry<String, JsonNode> each :
                JsonMapper.shared().readTree(assignment).path("holders").properties()) {
            for (String range : each.getValue().asString("").split(",", -1)) {
                String[] ends = range.split("-", -1);
                for (int shard = Integer.parseInt(ends[0]); shard <= Integer.parseInt(ends[ends.length - 1]); shard++) {
                    holders.put(shard, each.getKey());
                }
            }
        }
        return holders;
    }
}
