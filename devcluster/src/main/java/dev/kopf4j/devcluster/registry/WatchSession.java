package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.storage.WatchCursor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One watch: what exists, then what changes, filtered and shown for one client. */
public final class WatchSession implements WatchStream {
    private static final int BATCH = 128;
    private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
    private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
    private final ServerContext state;
    private final ResourceRequest resourceRequest;
    private final ListOptions options;
    private ObjectRenderer objectRenderer;
    private final WatchCursor watchCursor;
    private final Queue<StoredObject> initial;
    private final List<TaskScheduler.Timer> timers = new ArrayList<>();
    private TaskScheduler.Timer bookmarkTimer = () -> {};
    private volatile Runnable signal = () -> {};
    private volatile boolean bookmarkDue;
    private volatile boolean expired;
    private volatile boolean closed;
    private boolean initialEndDue;
    private long seen;

    /** A watch behind a version that first tells what exists. */
    public WatchSession(
            ServerContext state,
            ResourceRequest resourceRequest,
            ListOptions options,
            ObjectRenderer objectRenderer,
            List<StoredObject> initial,
            long version) {
        this.state = state;
        this.resourceRequest = resourceRequest;
        this.options = options;
        this.objectRenderer = objectRenderer;
        this.initial = new ArrayDeque<>(initial);
        this.initialEndDue = options.initialEvents() && options.bookmarks();
        this.seen = version;
        ResourceBucket resourceBucket = state.bucket(resourceRequest.resource());
        this.watchCursor = state.objectStore().follow(resourceBucket, version, () -> signal.run());
        startTimers();
    }

    private void startTimers() {
        Duration end = options.timeoutSeconds() > 0
                ? Duration.ofSeconds(options.timeoutSeconds())
                : Duration.ofMinutes(30).plusSeconds(state.randomBelow(1800));
        timers.add(state.taskScheduler().later(end, () -> {
            expired = true;
            signal.run();
        }));
        if (options.bookmarks()) {
            Duration beforeEnd = end.minus(BOOKMARK_BEFORE_END);
            if (beforeEnd.isPositive()) {
                timers.add(state.taskScheduler().later(beforeEnd, this::bookmark));
            }
            nextBookmark();
        }
    }

    private void nextBookmark() {
        synchronized (timers) {
            if (!closed) {
                timers.remove(bookmarkTimer);
                bookmarkTimer = state.taskScheduler().later(BOOKMARK_INTERVAL, () -> {
                    bookmark();
                    nextBookmark();
                });
                timers.add(bookmarkTimer);
            }
        }
    }

    private void bookmark() {
        bookmarkDue = true;
        signal.run();
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
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        if (!initial.isEmpty()) {
            for (int count = 0; count < BATCH && !initial.isEmpty(); count++) {
                StoredObject object = initial.remove();
                line(lines, "ADDED", objectRenderer.object(object));
            }
            return Optional.of(lines.toByteArray());
        }
        if (initialEndDue) {
            initialEndDue = false;
            bookmarkLine(lines, true);
        }
        changes(lines);
        return lines.size() == 0 ? Optional.empty() : Optional.of(lines.toByteArray());
    }

    private void changes(ByteArrayOutputStream lines) {
        boolean ending = expired;
        while (lines.size() == 0) {
            switch (watchCursor.next(BATCH)) {
                case WatchCursor.Batch.TooOld tooOld -> {
                    sendTooOld(lines, tooOld);
                    return;
                }
                case WatchCursor.Batch.Changes(List<ObjectChange> changes, long version) -> {
                    changes.forEach(objectChange -> show(lines, objectChange));
                    seen = version;
                    if (changes.isEmpty()) {
                        idle(lines, ending);
                        return;
                    }
                }
            }
        }
    }

    private void idle(ByteArrayOutputStream lines, boolean ending) {
        if (bookmarkDue) {
            bookmarkDue = false;
            bookmarkLine(lines, false);
        }
        if (ending) {
            close();
        }
    }

    private void sendTooOld(ByteArrayOutputStream lines, WatchCursor.Batch.TooOld tooOld) {
        ObjectNode status = ApiException.expired(
                        "too old resource version: " + tooOld.version() + " (" + tooOld.current() + ")")
                .status();
        line(lines, "ERROR", Json.bytes(status));
        close();
    }

    private void show(ByteArrayOutputStream lines, ObjectChange objectChange) {
        StoredObject before = inScope(objectChange.before());
        StoredObject after = inScope(objectChange.after());
        if (after != null) {
            line(lines, before == null ? "ADDED" : "MODIFIED", objectRenderer.object(after));
        } else if (before != null) {
            line(lines, "DELETED", objectRenderer.object(before.shownAt(objectChange.version())));
        }
    }

    private @Nullable StoredObject inScope(@Nullable StoredObject object) {
        if (object == null
                || !(resourceRequest.namespace().isEmpty()
                        || resourceRequest.namespace().equals(object.namespace()))) {
            return null;
        }
        if (options.matchesAll()) {
            return object;
        }
        Resource resource = resourceRequest.resource();
        return options.matches(state.convertedObjectCache().tree(resource, object)) ? object : null;
    }

    private void bookmarkLine(ByteArrayOutputStream lines, boolean initialEnd) {
        ObjectNode object = Json.object();
        object.put("kind", resourceRequest.resource().kind())
                .put("apiVersion", resourceRequest.resource().apiVersion());
        ObjectNode metadata = object.putObject("metadata").put("resourceVersion", String.valueOf(seen));
        if (initialEnd) {
            metadata.putObject("annotations")
                    .put("k8s.io/initial-events-end", "true")
                    .put("kubernetes.io/initial-events-list-blueprint", blueprint());
        }
        line(lines, "BOOKMARK", Json.bytes(objectRenderer.bookmark(object)));
    }

    /** The empty list that a client fills with the initial events. */
    private String blueprint() {
        ObjectNode list = Json.object();
        list.put("kind", resourceRequest.resource().names().listKind())
                .put("apiVersion", resourceRequest.resource().apiVersion());
        list.putObject("metadata");
        list.putArray("items");
        return Base64.getEncoder().encodeToString(Json.bytes(list));
    }

    private void line(ByteArrayOutputStream lines, String type, byte[] object) {
        lines.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
        lines.writeBytes(object);
        lines.writeBytes(new byte[] {'}', '\n'});
        objectRenderer = objectRenderer.withoutTableHead();
    }

    @Override
    public boolean ended() {
        return closed;
    }

    @Override
    public void close() {
        watchCursor.close();
        synchronized (timers) {
            closed = true;
            timers.forEach(TaskScheduler.Timer::cancel);
            timers.clear();
        }
    }
}
