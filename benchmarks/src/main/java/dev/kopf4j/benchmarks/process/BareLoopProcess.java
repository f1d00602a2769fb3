package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.AnyServerTrust;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.client.tls.CipherPreference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The upper limit: a watch, and one merge patch for each new object, without any logic; the same HTTP client and JSON
 * library as the operator's, the same limit of requests in flight.
 */
public final class BareLoopProcess {
    private static final int IN_FLIGHT = 32;

    private final JsonMapper json = new JsonMapper();
    private final String server;
    private final String token;
    private final String subresource;
    private final HttpClient http;
    private final ExecutorService threads;
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT);

    private BareLoopProcess(String[] arguments, HttpClient http, ExecutorService threads) {
        this.server = arguments[0];
        this.token = arguments[1];
        this.subresource = arguments[2];
        this.http = http;
        this.threads = threads;
    }

    /**
     * Arguments: the server's URL, the token, and the subresource to patch. Prints the first line when the watch is
     * open.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SSLContext trusting = AnyServerTrust.context();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trusting)
                        .sslParameters(CipherPreference.ofThisJvm().applied(trusting))
                        .executor(threads)
                        .build()) {
            BareLoopProcess loop = new BareLoopProcess(arguments, http, threads);
            BufferedReader events = loop.watch(loop.listedVersion());
            var _ = threads.submit(() -> loop.read(events));
            ChildMain.serve("ready", question -> "unknown: " + question);
            http.shutdownNow();
            threads.shutdownNow();
        }
    }

    private String listedVersion() throws IOException, InterruptedException {
        HttpRequest request = request(SampleObjects.PATH).build();
        JsonNode list =
                json.readTree(http.send(request, BodyHandlers.ofByteArray()).body());
        return list.path("metadata").path("resourceVersion").asString("");
    }

    private BufferedReader watch(String version) throws IOException, InterruptedException {
        HttpRequest request = request(SampleObjects.PATH + "?watch=true&resourceVersion=" + version)
                .build();
        return new BufferedReader(
                new InputStreamReader(
                        http.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8),
                65_536);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
    }

    private @Nullable Void read(BufferedReader events) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            JsonNode event = json.readTree(line);
            if (event.path("type").asString("").equals("ADDED")) {
                String name = event.path("object").path("metadata").path("name").asString("");
                var _ = threads.submit(() -> patch(name));
            }
        }
        return null;
    }

    private @Nullable Void patch(String name) throws IOException, InterruptedException {
        HttpRequest request = request(SampleObjects.PATH + "/" + name + subresource)
                .header("Content-Type", "application/merge-patch+json")
                .method(
                        "PATCH",
                        BodyPublishers.ofString(
                                "{\"status\":{\"make1\":{\"made\":\"" + name + "\",\"size\":\"1Gi\"}}}"))
                .build();
        inFlight.acquire();
        try {
            int status = http.send(request, BodyHandlers.ofByteArray()).statusCode();
            if (status != 200) {
                System.err.println("the bare loop's patch of " + name + " was refused: " + status);
            }
        } finally {
            inFlight.release();
        }
        return null;
    }
}
