package dev.kopf4j.e2e;

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Some clients that create objects, one after the other, without a rest, and remember what was refused. */
final class WebhookLoad implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final String EXAMPLES = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";

    private final TestCluster cluster;
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger number = new AtomicInteger();
    private volatile boolean ending;

    WebhookLoad(TestCluster cluster) {
        this.cluster = cluster;
        for (int i = 0; i < CLIENTS; i++) {
            clients.execute(this::create);
        }
    }

    /** True if an object can be created at the moment. */
    static boolean isAccepted(TestCluster cluster, String name) {
        return post(cluster, name).path("kind").asString("").equals("KopfExample");
    }

    private static JsonNode post(TestCluster cluster, String name) {
        return cluster.send("POST", EXAMPLES, """
                {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"%s"},"spec":{"field":"value"}}\
                """.formatted(name));
    }

    private void create() {
        while (!ending) {
            String name = "load-" + number.incrementAndGet();
            JsonNode answer = post(cluster, name);
            if (answer.path("kind").asString("").equals("KopfExample")) {
                accepted.incrementAndGet();
                cluster.send("DELETE", EXAMPLES + "/" + name, "");
            } else {
                refusals.add(String.valueOf(answer));
            }
        }
    }

    /** Waits until so many more requests were accepted. */
    void awaitMore(int count) {
        int before = accepted.get();
        await("requests").atMost(Kopf4j.PATIENCE).until(() -> accepted.get() > before + count);
    }

    List<String> refusals() {
        return List.copyOf(refusals);
    }

    @Override
    public void close() {
        ending = true;
        clients.shutdown();
    }
}
