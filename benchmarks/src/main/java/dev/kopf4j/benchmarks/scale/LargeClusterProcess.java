package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.memory.LocalClient;
import dev.kopf4j.benchmarks.process.ChildMain;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** An API server with TLS and RBAC that fills itself, and changes its objects at a pace. */
public final class LargeClusterProcess {
    private final LocalClient client;
    private final AtomicInteger writes;
    private int objects;
    private int definitions;

    private LargeClusterProcess(LocalClient client, AtomicInteger writes) {
        this.client = client;
        this.writes = writes;
    }

    /**
     * No arguments; the first line has the URL, the administrator's token, and a kubeconfig. Answers {@code objects N}
     * when there are so many, {@code definitions N} as well, {@code change N PER_SECOND} with the changes a second, and
     * {@code writes} with the number of requests that were no reading.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        AtomicInteger writes = new AtomicInteger();
        Options options = Options.defaults()
                .https(true)
                .rbac(true)
                .requestLog(line -> writes.addAndGet(line.startsWith("GET") ? 0 : 1));
        try (DevCluster cluster = DevCluster.start(options)) {
            cluster.apply(SampleObjects.definitions(true).replace("{status: {}}", "{}"));
            Path kubeconfig = Files.createTempFile("kopf4j-benchmark", ".kubeconfig");
            kubeconfig.toFile().deleteOnExit();
            cluster.writeKubeconfig(kubeconfig);
            LargeClusterProcess process = new LargeClusterProcess(new LocalClient(cluster), writes);
            ChildMain.serve(String.join(" ", cluster.url(), cluster.token(), kubeconfig.toString()), process::answer);
        }
    }

    private String answer(String question) {
        List<String> words = List.of(question.split(" ", -1));
        return switch (words.getFirst()) {
            case "objects" -> fill(Integer.parseInt(words.get(1)));
            case "definitions" -> define(Integer.parseInt(words.get(1)));
            case "change" -> change(Integer.parseInt(words.get(1)), Integer.parseInt(words.get(2)));
            default -> Integer.toString(writes.get());
        };
    }

    /** Requests in this process are not in the log of requests. */
    private String fill(int until) {
        for (; objects < until; objects++) {
            client.create(SampleObjects.PATH, LargeObjects.body(objects));
        }
        return Integer.toString(objects);
    }

    private String define(int until) {
        for (; definitions < until; definitions++) {
            client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(definitions));
        }
        return Integer.toString(definitions);
    }

    private static String definition(int number) {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things%1$d.scale.kopf4j.dev"},\
            "spec":{"group":"scale.kopf4j.dev","scope":"Namespaced","names":{"plural":"things%1$d","singular":"thing%1$d","kind":"Thing%1$d"},\
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",\
            "x-kubernetes-preserve-unknown-fields":true}}}]}}""".formatted(number);
    }

    private String change(int changes, int perSecond) {
        long start = System.nanoTime();
        for (int i = 0; i < changes; i++) {
            long due = start + i * 1_000_000_000L / perSecond;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            int chosen = (int) ((long) i * objects / changes);
            client.patch(LargeObjects.path(chosen), "{\"status\":{\"seen\":" + (start + i) + "}}");
        }
        return String.format(Locale.ROOT, "%.0f", changes / ((System.nanoTime() - start) / 1e9));
    }
}
