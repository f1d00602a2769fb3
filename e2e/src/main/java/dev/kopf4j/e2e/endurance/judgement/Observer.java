package dev.kopf4j.e2e.endurance.judgement;

import dev.kopf4j.e2e.endurance.cluster.ClusterClient;
import dev.kopf4j.e2e.endurance.cluster.Trials;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Watches the objects for the judgement, in a thread of its own. After a disturbance it goes on with the version that
 * it has seen last, so that it misses nothing that the server still knows.
 */
public final class Observer implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String WATCH =
            Trials.ALL + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=60&resourceVersion=";

    private final ClusterClient client;
    private final Histories histories;
    private final Thread thread;
    private volatile boolean closed;

    private Observer(ClusterClient client, Histories histories) {
        this.client = client;
        this.histories = histories;
        this.thread = Thread.ofPlatform().daemon().name("observer").unstarted(this::observe);
    }

    /** Begins to observe. */
    public static Observer of(ClusterClient client, Histories histories) {
        Observer observer = new Observer(client, histories);
        observer.thread.start();
        return observer;
    }

    private void observe() {
        String version = "";
        while (!closed) {
            try {
                version = version.isEmpty() ? list() : watch(version);
            } catch (IOException | RuntimeException e) {
                // The cluster is disturbed on purpose: whatever it is, the next attempt begins where this one has
                // ended.
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private String list() throws IOException {
        ClusterClient.Answer answer = client.send("GET", Trials.ALL, null);
        if (answer.status() == 404) {
            histories.listed(List.of(), 0);
        }
        if (!answer.isSuccess()) {
            throw new IOException("the list was refused: " + answer.status());
        }
        String version = answer.body().at("/metadata/resourceVersion").asString();
        histories.listed(answer.body().path("items").valueStream().toList(), Long.parseLong(version));
        return version;
    }

    /** The version to go on with; empty for a list. */
    private String watch(String from) {
        String version = from;
        try (BufferedReader lines = client.watch(WATCH + from)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = JsonMapper.shared().readTree(line);
                if (event.path("type").asString().equals("ERROR")) {
                    return "";
                }
                version = event.at("/object/metadata/resourceVersion").asString();
                if (!event.path("type").asString().equals("BOOKMARK")) {
                    histories.changed(event.path("type").asString(), event.path("object"));
                }
            }
        } catch (IOException | RuntimeException e) {
            LockSupport.parkNanos(PAUSE.toNanos());
            return String.valueOf(e.getMessage()).startsWith("the watch was refused") ? "" : version;
        }
        return version;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
