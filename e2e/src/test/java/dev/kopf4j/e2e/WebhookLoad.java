package dev.kopf4j.e2e;

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Some clients that create objects, one after the other, and remember what was refused. They rest for moments, since
 * two processors that do nothing else would keep the replicas from what is tested.
 */
final class WebhookLoad implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final long REST_MILLIS = 50;
    private static final String EXAMPLES = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";

    private final TestCluster cluster;
    private final ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);
    private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger number = new AtomicInteger();

    WebhookLoad(TestCluster cluster) {
        this.cluster = cluster;
        for (int i = 0; i < CLIENTS; i++) {
            var _ = clients.scheduleWithFixedDelay(this::create, 0, REST_MILLIS, TimeUnit.MILLISECONDS);
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
        String name = "load-" + number.incrementAndGet();
        JsonNode answer = post(cluster, name);
        if (answer.path("kind").asString("").equals("KopfExample")) {
            accepted.incrementAndGet();
            cluster.send("DELETE", EXAMPLES + "/" + name, "");
        } else {
            refusals.add(String.valueOf(answer));
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
        clients.shutdown();
    }
}
