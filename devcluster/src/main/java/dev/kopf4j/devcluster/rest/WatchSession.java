package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.Tasks;
import dev.kopf4j.devcluster.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.show.View;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.Cursor;
import dev.kopf4j.devcluster.store.StoredObject;
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
final class WatchSession implements WatchStream {
    private static final int BATCH = 128;
    private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
    private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
    private final ServerState state;
    private final Call call;
    private final ListOptions options;
    private View view;
    private final Cursor cursor;
    private final Queue<StoredObject> initial;
    private final List<Tasks.Timer> timers = new ArrayList<>();
    private Tasks.Timer bookmarkTimer = () -> {};
    private volatile Runnable signal = () -> {};
    private volatile boolean bookmarkDue;
    private volatile boolean expired;
    private volatile boolean closed;
    private boolean initialEndDue;
    private long seen;

    /** A watch behind a version that first tells what exists. */
    WatchSession(
            ServerState state, Call call, ListOptions options, View view, List<StoredObject> initial, long version) {
        this.state = state;
        this.call = call;
        this.options = options;
        this.view = view;
        this.initial = new ArrayDeque<>(initial);
        this.initialEndDue = options.initialEvents() && options.bookmarks();
        this.seen = version;
        Bucket bucket = state.bucket(call.resource());
        this.cursor = state.store().follow(bucket, version, () -> signal.run());
        startTimers();
    }

    private void startTimers() {
        Duration end = options.timeoutSeconds() > 0
                ? Duration.ofSeconds(options.timeoutSeconds())
                : Duration.ofMinutes(30).plusSeconds(state.randomBelow(1800));
        timers.add(state.tasks().later(end, () -> {
            expired = true;
            signal.run();
        }));
        if (options.bookmarks()) {
            Duration beforeEnd = end.minus(BOOKMARK_BEFORE_END);
            if (beforeEnd.isPositive()) {
                timers.add(state.tasks().later(beforeEnd, this::bookmark));
            }
            nextBookmark();
        }
    }

    private void nextBookmark() {
        synchronized (timers) {
            if (!closed) {
                timers.remove(bookmarkTimer);
                bookmarkTimer = state.tasks().later(BOOKMARK_INTERVAL, () -> {
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
                line(lines, "ADDED", view.object(object));
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
            switch (cursor.next(BATCH)) {
                case Cursor.Batch.Lost lost -> {
                    lost(lines, lost);
                    return;
                }
                case Cursor.Batch.Changes(List<Change> changes, long version) -> {
                    changes.forEach(change -> show(lines, change));
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

    private void lost(ByteArrayOutputStream lines, Cursor.Batch.Lost lost) {
        ObjectNode status = ApiException.expired(
                        "too old resource version: " + lost.version() + " (" + lost.current() + ")")
                .status();
        line(lines, "ERROR", Json.bytes(status));
        close();
    }

    private void show(ByteArrayOutputStream lines, Change change) {
        StoredObject before = inScope(change.before());
        StoredObject after = inScope(change.after());
        if (after != null) {
            line(lines, before == null ? "ADDED" : "MODIFIED", view.object(after));
        } else if (before != null) {
            line(lines, "DELETED", view.object(before.shownAt(change.version())));
        }
    }

    private @Nullable StoredObject inScope(@Nullable StoredObject object) {
        if (object == null || !(call.namespace().isEmpty() || call.namespace().equals(object.namespace()))) {
            return null;
        }
        if (options.matchesAll()) {
            return object;
        }
        Resource resource = call.resource();
        return options.matches(state.recentTrees().tree(resource, object)) ? object : null;
    }

    private void bookmarkLine(ByteArrayOutputStream lines, boolean initialEnd) {
        ObjectNode object = Json.object();
        object.put("kind", call.resource().kind())
                .put("apiVersion", call.resource().apiVersion());
        ObjectNode metadata = object.putObject("metadata").put("resourceVersion", String.valueOf(seen));
        if (initialEnd) {
            metadata.putObject("annotations")
                    .put("k8s.io/initial-events-end", "true")
                    .put("kubernetes.io/initial-events-list-blueprint", blueprint());
        }
        line(lines, "BOOKMARK", Json.bytes(view.bookmark(object)));
    }

    /** The empty list that a client fills with the initial events. */
    private String blueprint() {
        ObjectNode list = Json.object();
        list.put("kind", call.resource().names().listKind())
                .put("apiVersion", call.resource().apiVersion());
        list.putObject("metadata");
        list.putArray("items");
        return Base64.getEncoder().encodeToString(Json.bytes(list));
    }

    private void line(ByteArrayOutputStream lines, String type, byte[] object) {
        lines.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
        lines.writeBytes(object);
        lines.writeBytes(new byte[] {'}', '\n'});
        view = view.continued();
    }

    @Override
    public boolean ended() {
        return closed;
    }

    @Override
    public void close() {
        cursor.close();
        synchronized (timers) {
            closed = true;
            timers.forEach(Tasks.Timer::cancel);
            timers.clear();
        }
    }
}
