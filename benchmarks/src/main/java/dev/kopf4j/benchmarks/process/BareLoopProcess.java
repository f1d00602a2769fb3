package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.SampleObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
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
            String version = loop.listedVersion();
            LoopClient.Lines events = loop.watch(version);
            threads.execute(() -> loop.read(events, version));
            ChildMain.serve("ready", question -> "unknown: " + question);
        }
    }

    private String listedVersion() throws IOException, InterruptedException {
        JsonNode list = json.readTree(client.get(SampleObjects.PATH));
        return list.path("metadata").path("resourceVersion").asString("");
    }

    private LoopClient.Lines watch(String version) throws IOException, InterruptedException {
        return client.watch(SampleObjects.PATH + "?watch=true&resourceVersion=" + version);
    }

    /** Servers end watches now and then: it goes on from the last version. */
    private void read(LoopClient.Lines first, String from) {
        try {
            LoopClient.Lines events = first;
            String version = from;
            while (true) {
                version = patchAll(events, version);
                events = watch(version);
            }
        } catch (IOException e) {
            System.err.println("the bare loop's watch has ended: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String patchAll(LoopClient.Lines events, String from) throws IOException, InterruptedException {
        String version = from;
        for (byte[] line = events.next(); line != null; line = events.next()) {
            JsonNode event = json.readTree(line);
            JsonNode metadata = event.path("object").path("metadata");
            version = metadata.path("resourceVersion").asString(version);
            if (event.path("type").asString("").equals("ADDED")) {
                String name = metadata.path("name").asString("");
                threads.execute(() -> patch(name));
            }
        }
        return version;
    }

    private void patch(String name) {
        String body = "{\"status\":{\"make1\":{\"made\":\"" + name + "\",\"size\":\"1Gi\"}}}";
        inFlight.acquireUninterruptibly();
        try {
            int status =
                    client.patch(SampleObjects.PATH + "/" + name + subresource, body.getBytes(StandardCharsets.UTF_8));
            if (status != 200) {
                System.err.println("the bare loop's patch of " + name + " was refused: " + status);
            }
        } catch (IOException e) {
            System.err.println("the bare loop's patch of " + name + " has failed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.release();
        }
    }
}
