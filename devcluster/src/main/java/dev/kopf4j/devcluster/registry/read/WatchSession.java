package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.storage.WatchCursor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One watch: sends the existing objects, then the changes, filtered and rendered for one client. Thread-safe. */
final class WatchSession implements WatchStream {
    private static final int BATCH = 128;
    private final ServerContext state;
    private final ResourceRequest request;
    private final ListOptions options;
    private final WatchEventWriter events;
    private final WatchCursor cursor;
    private final Queue<StoredObject> initial;
    private final WatchDeadlines deadlines;
    private volatile Runnable signal = () -> {};
    private volatile boolean closed;
    private boolean initialEndDue;
    private long seen;

    /**
     * A watch of the changes after a version.
     *
     * @param initial the existing objects, which are sent first
     */
    WatchSession(
            ServerContext state,
            ResourceRequest request,
            ListOptions options,
            ObjectRenderer renderer,
            List<StoredObject> initial,
            long version) {
        this.state = state;
        this.request = request;
        this.options = options;
        this.events = new WatchEventWriter(request.resource(), renderer);
        this.initial = new ArrayDeque<>(initial);
        this.initialEndDue = options.initialEvents() && options.bookmarks();
        this.seen = version;
        this.cursor = state.objectStore().follow(state.bucket(request.resource()), version, () -> signal.run());
        this.deadlines = new WatchDeadlines(state, options, () -> signal.run());
    }

    @Override
    public void onSignal(Runnable newSignal) {
        signal = newSignal;
    }

    @Override
    public synchronized Optional<byte[]> take() {
        if (closed) {
            return Optional.empty();
        }
        try {
            return next();
        } catch (ApiException e) {
            return failed(e);
        }
    }

    /** Ends the watch, as an object cannot be converted: {@code pkg/storage/etcd3/watcher.go}. */
    private Optional<byte[]> failed(ApiException e) {
        events.addError(ApiException.of(500, "InternalError", String.valueOf(e.getMessage()), Json.object(), false));
        close();
        return events.take();
    }

    private Optional<byte[]> next() {
        if (!initial.isEmpty()) {
            for (int count = 0; count < BATCH && !initial.isEmpty(); count++) {
                events.add("ADDED", initial.remove());
            }
            return events.take();
        }
        if (initialEndDue) {
            initialEndDue = false;
            events.addInitialEnd(seen);
        }
        changes();
        return events.take();
    }

    private void changes() {
        boolean ending = deadlines.isEndDue();
        while (events.isEmpty()) {
            switch (cursor.next(BATCH)) {
                case WatchCursor.Batch.TooOld tooOld -> {
                    sendTooOld(tooOld);
                    return;
                }
                case WatchCursor.Batch.Changes(List<ObjectChange> changes, long version) -> {
                    changes.forEach(this::add);
                    seen = version;
                    if (changes.isEmpty()) {
                        idle(ending);
                        return;
                    }
                }
            }
        }
    }

    private void idle(boolean ending) {
        if (deadlines.takeBookmark()) {
            events.addBookmark(seen);
        }
        if (ending) {
            close();
        }
    }

    /** Ends the watch with 410, because it has fallen behind the window of the store. */
    private void sendTooOld(WatchCursor.Batch.TooOld tooOld) {
        events.addError(
                ApiException.expired("too old resource version: " + tooOld.version() + " (" + tooOld.current() + ")"));
        close();
    }

    private void add(ObjectChange change) {
        StoredObject before = inScope(change.before());
        StoredObject after = inScope(change.after());
        if (after != null) {
            events.add(before == null ? "ADDED" : "MODIFIED", after);
        } else if (before != null) {
            events.add("DELETED", before.shownAt(change.version()));
        }
    }

    private @Nullable StoredObject inScope(@Nullable StoredObject object) {
        if (object == null
                || !(request.namespace().isEmpty() || request.namespace().equals(object.namespace()))) {
            return null;
        }
        boolean matches = options.matchesAll()
                || options.matches(state.convertedObjectCache().tree(request.resource(), object));
        return matches ? object : null;
    }

    @Override
    public boolean ended() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        cursor.close();
        deadlines.close();
    }

    /**
     * Collects the events of one watch as lines, in the form that the client reads. Confined to the reader of the
     * watch.
     */
    private static final class WatchEventWriter {
        private final Resource resource;
        private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
        private ObjectRenderer renderer;

        WatchEventWriter(Resource resource, ObjectRenderer renderer) {
            this.resource = resource;
            this.renderer = renderer;
        }

        boolean isEmpty() {
            return lines.size() == 0;
        }

        /** The lines since the last call; nothing if there are none. */
        Optional<byte[]> take() {
            if (isEmpty()) {
                return Optional.empty();
            }
            byte[] taken = lines.toByteArray();
            lines.reset();
            return Optional.of(taken);
        }

        void add(String type, StoredObject object) {
            line(type, renderer.object(object));
        }

        void addError(ApiException error) {
            line("ERROR", Json.bytes(error.status()));
        }

        void addBookmark(long version) {
            line("BOOKMARK", Json.bytes(renderer.bookmark(empty(version))));
        }

        /** A bookmark behind the initial events (KEP-3157). */
        void addInitialEnd(long version) {
            ObjectNode object = empty(version);
            Json.child(object, "metadata")
                    .putObject("annotations")
                    .put("k8s.io/initial-events-end", "true")
                    .put("kubernetes.io/initial-events-list-blueprint", blueprint());
            line("BOOKMARK", Json.bytes(renderer.bookmark(object)));
        }

        private ObjectNode empty(long version) {
            ObjectNode object = Json.object().put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
            object.putObject("metadata").put("resourceVersion", String.valueOf(version));
            return object;
        }

        /** The empty list to which a client adds the initial events. */
        private String blueprint() {
            ObjectNode list =
                    Json.object().put("kind", resource.names().listKind()).put("apiVersion", resource.apiVersion());
            list.putObject("metadata");
            list.putArray("items");
            return Base64.getEncoder().encodeToString(Json.bytes(list));
        }

        private void line(String type, byte[] object) {
            lines.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
            lines.writeBytes(object);
            lines.writeBytes(new byte[] {'}', '\n'});
            renderer = renderer.withoutTableHead();
        }
    }
}
