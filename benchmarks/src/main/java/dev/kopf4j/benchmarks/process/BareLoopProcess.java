package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.SampleObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The upper limit: a watch, and one merge patch for each new object, without any logic; the same JSON library as the
 * operator's, the same limit of requests in flight.
 */
public final class BareLoopProcess {
    private static final int IN_FLIGHT = 32;

    private final JsonMapper json = new JsonMapper();
    private final String subresource;
    private final LoopClient client;
    private final ExecutorService threads;
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT);

    private BareLoopProcess(String subresource, LoopClient client, ExecutorService threads) {
        this.subresource = subresource;
        this.client = client;
        this.threads = threads;
    }

    /**
     * Arguments: the server's URL, the token, the subresource to patch, and {@code jdk} for the JDK's client instead of
     * the operator's transport. Prints the first line when the watch is open.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        boolean jdk = arguments[3].equals("jdk");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                LoopClient client = jdk
                        ? new JdkLoopClient(arguments[0], arguments[1])
                        : new TransportLoopClient(arguments[0], arguments[1])) {
            BareLoopProcess loop = new BareLoopProcess(arguments[2], client, threads);
            LoopClient.Lines events =
                    client.watch(SampleObjects.PATH + "?watch=true&resourceVersion=" + loop.listedVersion());
            var _ = threads.submit(() -> loop.read(events));
            ChildMain.serve("ready", question -> "unknown: " + question);
        }
    }

    private String listedVersion() throws IOException, InterruptedException {
        JsonNode list = json.readTree(client.get(SampleObjects.PATH));
        return list.path("metadata").path("resourceVersion").asString("");
    }

    private @Nullable Void read(LoopClient.Lines events) throws IOException, InterruptedException {
        for (byte[] line = events.next(); line != null; line = events.next()) {
            JsonNode event = json.readTree(line);
            if (event.path("type").asString("").equals("ADDED")) {
                String name = event.path("object").path("metadata").path("name").asString("");
                var _ = threads.submit(() -> patch(name));
            }
        }
        return null;
    }

    private @Nullable Void patch(String name) throws IOException, InterruptedException {
        String body = "{\"status\":{\"make1\":{\"made\":\"" + name + "\",\"size\":\"1Gi\"}}}";
        inFlight.acquire();
        try {
            int status =
                    client.patch(SampleObjects.PATH + "/" + name + subresource, body.getBytes(StandardCharsets.UTF_8));
            if (status != 200) {
                System.err.println("the bare loop's patch of " + name + " was refused: " + status);
            }
        } finally {
            inFlight.release();
        }
        return null;
    }
}
