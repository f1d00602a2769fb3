package dev.kopf4j.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Watches the objects of a load, and notes when each one is seen with all its results. Thread-safe. */
public final class PatchObserver implements AutoCloseable {
    private final JsonMapper json = new JsonMapper();
    private final String prefix;
    private final int results;
    private final Map<String, Long> doneAt = new ConcurrentHashMap<>();
    private final CountDownLatch left;
    private final ServerAddress server;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(AnyServerTrust.context())
            .build();

    private PatchObserver(ServerAddress server, String prefix, int results, int objects) {
        this.server = server;
        this.prefix = prefix;
        this.results = results;
        this.left = new CountDownLatch(objects);
    }

    /**
     * Watches from now on; only objects with this prefix of their names count. What exists already is not sent: reading
     * thousands of old objects first would count as latency of the first new ones.
     */
    public static PatchObserver start(ServerAddress server, String path, String prefix, int results, int objects)
            throws IOException, InterruptedException {
        PatchObserver patchObserver = new PatchObserver(server, prefix, results, objects);
        String version = patchObserver.version(path);
        BufferedReader lines = patchObserver.watch(path, version);
        Thread.ofVirtual().name("observer").start(() -> patchObserver.readForEver(lines, path, version));
        return patchObserver;
    }

    private BufferedReader watch(String path, String version) throws IOException, InterruptedException {
        HttpRequest request = request(path + "?watch=true&resourceVersion=" + version);
        var answer = http.send(request, BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new IOException("the watch was refused: " + answer.statusCode());
        }
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8), 65_536);
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + server.token())
                .build();
    }

    private String version(String collection) throws IOException, InterruptedException {
        HttpRequest request = request(collection + "?limit=1");
        var answer = http.send(request, BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException("the list was refused: " + answer.statusCode());
        }
        return json.readTree(answer.body())
                .path("metadata")
                .path("resourceVersion")
                .asString();
    }

    /** Servers end watches now and then: it goes on from the last version. */
    private void readForEver(BufferedReader first, String path, String from) {
        try {
            BufferedReader lines = first;
            String version = from;
            while (left.getCount() > 0) {
                version = read(lines, version);
                lines = watch(path, version);
            }
        } catch (IOException e) {
            if (left.getCount() > 0) {
                System.err.println("the observer's watch has broken off: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String read(BufferedReader lines, String from) throws IOException {
        String version = from;
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = json.readTree(line);
                note(event, System.nanoTime());
                version = event.path("object")
                        .path("metadata")
                        .path("resourceVersion")
                        .asString(version);
            }
        }
        return version;
    }

    private void note(JsonNode event, long now) {
        JsonNode object = event.path("object");
        String name = object.path("metadata").path("name").asString("");
        boolean done = object.path("status").size() >= results;
        if (done && name.startsWith(prefix) && doneAt.putIfAbsent(name, now) == null) {
            left.countDown();
        }
    }

    /**
     * Waits until all objects are done.
     *
     * @param what the message calls it
     * @throws IllegalStateException if it takes longer
     */
    public void awaitAll(long seconds, String what) throws InterruptedException {
        if (!left.await(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    what + ": " + left.getCount() + " objects were not done within " + seconds + " s");
        }
    }

    /** When each object was seen done, in readings of {@link System#nanoTime}. */
    public Map<String, Long> doneAt() {
        return Map.copyOf(doneAt);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
