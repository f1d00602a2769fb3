package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.LoadConnection;
import dev.kopf4j.benchmarks.load.ObjectLoad;
import dev.kopf4j.benchmarks.load.PatchObserver;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.load.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Patches objects that no contender sees, before anything is measured. */
final class ServerWarmUp {
    private static final int OBJECTS = 3000;

    private ServerWarmUp() {}

    /** Warms up the server, so that it is as quick for the first object as for the last one. */
    static void run(ServerAddress server) throws IOException, InterruptedException {
        try (PatchObserver patchObserver = PatchObserver.start(server, SampleObjects.WARM_UP_PATH, "w", 1, OBJECTS);
                LoadConnection connection = new LoadConnection(server)) {
            new ObjectLoad(server, SampleObjects.WARM_UP_PATH, "WarmUp", "w", OBJECTS, 2, 0).run();
            for (int i = 0; i < OBJECTS; i++) {
                byte[] patch = "{\"status\":{\"make1\":{\"made\":true}}}".getBytes(StandardCharsets.UTF_8);
                connection.send("PATCH", SampleObjects.WARM_UP_PATH + "/w" + i, "application/merge-patch+json", patch);
            }
            patchObserver.awaitAll(BenchmarkPlan.PATIENCE_SECONDS, "warming up");
        }
    }
}
