package dev.kopf4j.engine.chaos;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The open watches of a server. A task feeds each of them, with delays, until something ends it. */
final class WatchConnections {
    private final Platform server;
    private final WorldHistory worldHistory;
    private final RequestFaults requestFaults;
    private final boolean replaying;
    private final HostileObjects hostileObjects;
    private final List<Watch> open = new ArrayList<>();
    private @Nullable ObjectStore store;
    private long compacted;
    private int count;

    /** Replaying is to begin a stream with events that the client should have seen already. */
    WatchConnections(
            Platform server,
            WorldHistory worldHistory,
            RequestFaults requestFaults,
            boolean replaying,
            HostileObjects hostileObjects) {
        this.server = server;
        this.worldHistory = worldHistory;
        this.requestFaults = requestFaults;
        this.replaying = replaying;
        this.hostileObjects = hostileObjects;
    }

    void of(ObjectStore newStore) {
        this.store = newStore;
    }

    private ObjectStore store() {
        return java.util.Objects.requireNonNull(store);
    }

    /** Older versions are of no use to clients any more. */
    void compact() {
        compacted = store().version();
    }

    long compacted() {
        return compacted;
    }

    void end() {
        open.forEach(watch -> watch.stream.end());
        open.clear();
    }

    void breakAll() {
        open.forEach(watch -> watch.stream.fail(new IOException("connection reset")));
        open.clear();
    }

    /** The connections are dead, but nobody tells the clients. */
    void silence() {
        open.forEach(watch -> watch.silent = true);
        open.clear();
    }

    /** The history is gone, and the streams say so. */
    void expire() {
        compact();
        ObjectNode status = Json.object().put("kind", "Status").put("code", 410).put("reason", "Expired");
        open.forEach(watch -> watch.feed("ERROR", status));
        end();
    }

    void add(SimulatedPlatform client, PushedResponseStream stream, boolean ofObjects, long from, int timeoutSeconds) {
        Watch watch = new Watch(client, stream, ofObjects, from, server.after(Duration.ofSeconds(timeoutSeconds)));
        worldHistory.note("server: watch " + watch.name + " from " + from);
        open.add(watch);
        server.spawn(watch.name, watch::serve);
    }

    private final class Watch {
        private final String name = "watch-" + count++;
        private final SimulatedPlatform client;
        private final PushedResponseStream stream;
        private final boolean ofObjects;
        private final Deadline end;
        private int position;
        private int replayedUntil;
        private boolean silent;

        Watch(SimulatedPlatform client, PushedResponseStream stream, boolean ofObjects, long from, Deadline end) {
            this.client = client;
            this.stream = stream;
            this.ofObjects = ofObjects;
            this.end = end;
            List<ObjectStore.Event> history = store().history();
            while (position < history.size() && history.get(position).version() <= from) {
                position++;
            }
            replayedUntil = position;
            if (replaying) {
                position -= server.random().nextInt(Math.min(position, 8) + 1);
            }
        }

        void serve() {
            try {
                while (!isOver()) {
                    boolean more = server.monitor()
                            .awaitTrue(
                                    () -> isOver()
                                            || (ofObjects
                                                    && position
                                                            < store().history().size()),
                                    server.after(Duration.ofSeconds(50)).orEarlier(end));
                    server.sleep(requestFaults.latency());
                    if (!isOver()) {
                        go(more);
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts a server", e);
            }
            if (!silent) {
                stream.end();
            }
            open.remove(this);
        }

        private boolean isOver() {
            return silent || stream.isClosed() || client.isKilled() || end.hasPassed(server) || !open.contains(this);
        }

        private void go(boolean more) {
            if (!more) {
                ObjectNode bookmark = Json.object();
                bookmark.putObject("metadata").put("resourceVersion", Long.toString(ofObjects ? store().version() : 1));
                feed("BOOKMARK", bookmark);
                return;
            }
            ObjectStore.Event event = store().history().get(position++);
            boolean replayed = position <= replayedUntil;
            if (!replayed || store().byUid(StoredState.uid(event.object())).isPresent()) {
                worldHistory.note(name + ": " + event.type() + " " + StoredState.name(event.object()) + " "
                        + event.version() + (replayed ? " (replayed)" : ""));
                if (!replayed) {
                    write(hostileObjects.lineBefore(event.version(), server.random()));
                }
                feed(event.type(), event.object());
            }
        }

        void feed(String type, ObjectNode object) {
            ObjectNode line = Json.object().put("type", type);
            line.set("object", object);
            write(Json.text(line) + "\n");
        }

        private void write(String text) {
            stream.feed(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
