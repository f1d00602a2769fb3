package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.benchmarks.load.SampleObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Objects come, change three times, and go; there are about as many at any time. Used by one thread. */
final class SoakLoad {
    private static final int ALIVE = 200;
    private static final int CHANGES = 3;

    private final Client client;
    private int step;

    /** Sends a request to the server. */
    @FunctionalInterface
    interface Client {
        void send(String method, String path, String contentType, String body) throws IOException;
    }

    SoakLoad(Client client) {
        this.client = client;
    }

    /** One comes, some change, one goes. */
    void step() throws IOException {
        client.send(
                "POST",
                SampleObjects.PATH,
                "application/json",
                new String(SampleObjects.body("Sample", name(step)), StandardCharsets.UTF_8));
        for (int i = 1; i <= CHANGES && i <= step; i++) {
            client.send(
                    "PATCH",
                    SampleObjects.PATH + "/" + name(step - i),
                    "application/merge-patch+json",
                    "{\"spec\":{\"replicas\":" + (10 * step + i) + "}}");
        }
        if (step >= ALIVE) {
            client.send("DELETE", SampleObjects.PATH + "/" + name(step - ALIVE), "application/json", "");
        }
        step++;
    }

    private static String name(int number) {
        return "soak-" + number;
    }
}
