package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conversion.ConvertedObjectCache;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.selector.FieldSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.Listing;
import dev.kopf4j.devcluster.storage.ObjectChange;
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

/** The verb watch: {@code pkg/endpoints/handlers/watch.go} of the apiserver library, v1.33. Thread-safe. */
public final class WatchVerb {
    private final ServerContext state;
    private final ConvertedObjectCache converted = new ConvertedObjectCache();

    /** Watches the store of a server. */
    public WatchVerb(ServerContext state) {
        this.state = state;
    }

    /**
     * Begins the watch of a request, which may be on one object; a watch without a version begins with what exists. One
     * from a version that does not exist yet is refused: it would tell nothing, and who has kept the version from a
     * server that has begun anew would wait for ever.
     */
    public WatchStream watch(ResourceRequest request, ListOptions listOptions, ObjectRenderer renderer) {
        ListOptions options = request.name().isEmpty()
                ? listOptions
                : listOptions.and(new FieldSelector.Term("metadata.name", true, request.name(), ""));
        String version = options.version();
        if (!version.isEmpty()) {
            ResourceVersionParameter.checkReadable(version);
            ResourceVersionParameter.checkNotFuture(version, state);
        }
        boolean fromAny = version.isEmpty() || version.equals("0");
        boolean fromStart = options.initialEvents() || (fromAny && !options.onlyChanges());
        Listing listing = fromStart
                ? state.objectStore().list(state.bucket(request.resource()), request.namespace())
                : new Listing(List.of(), fromAny ? state.objectStore().version() : Long.parseLong(version));
        List<StoredObject> initial = matching(request.resource(), options, listing);
        renderer.requireSingleForm();
        return new WatchSession(request, options, renderer, initial, listing.version());
    }

    private static List<StoredObject> matching(Resource resource, ListOptions options, Listing listing) {
        return options.matchesAll()
                ? listing.objects()
                : listing.objects().stream()
                        .filter(object -> options.matches(StorageConversion.tree(resource, object)))
                        .toList();
    }

    /** One watch: sends the existing objects, then the changes, filtered and rendered for one client. Thread-safe. */
    private final class WatchSession implements WatchStream {
        private static final int BATCH = 128;
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
                ResourceRequest request,
                ListOptions options,
                ObjectRenderer renderer,
                List<StoredObject> initial,
                long version) {
            this.request = request;
            this.options = options;
            this.events = new WatchEventWriter(request.resource(), renderer);
            this.initial = new ArrayDeque<>(initial);
            this.initialEndDue = options.initialEvents() && options.bookmarks();
            this.seen = version;
            this.cursor = state.objectStore().follow(state.bucket(request.resource()), version, () -> signal.run());
            this.deadlines = new WatchDeadlines(state, options, () -> signal.run());
            if (!state.servedResources().serves(request.resource())) { // changed since the request was read
                cursor.end();
            }
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
            events.addError(
                    ApiException.of(500, "InternalError", String.valueOf(e.getMessage()), Json.object(), false));
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
                    case WatchCursor.Batch.Ended() -> {
                        close();
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
            events.addError(ApiException.expired(
                    "too old resource version: " + tooOld.version() + " (" + tooOld.current() + ")"));
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
            boolean matches = options.matchesAll() || options.matches(converted.tree(request.resource(), object));
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

        /**
         * When a watch ends, and when it sends bookmarks (KEP-956). The times are those of {@code ListResource} in
         * {@code pkg/endpoints/handlers/get.go} and of {@code pkg/storage/cacher/cache_watcher.go} of the apiserver
         * library, v1.33. Thread-safe.
         */
        private static final class WatchDeadlines implements AutoCloseable {
            private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
            private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
            private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);
            private final TaskScheduler taskScheduler;
            private final Runnable signal;
            private final List<TaskScheduler.Timer> timers = new ArrayList<>();
            private TaskScheduler.Timer bookmarkTimer = () -> {};
            private boolean closed;
            private volatile boolean endDue;
            private volatile boolean bookmarkDue;

            /**
             * The deadlines of a watch that begins now.
             *
             * @param signal runs when a deadline is reached
             */
            WatchDeadlines(ServerContext state, ListOptions options, Runnable signal) {
                this.taskScheduler = state.taskScheduler();
                this.signal = signal;
                Duration end = options.timeoutSeconds() > 0
                        ? Duration.ofSeconds(options.timeoutSeconds())
                        : MIN_TIMEOUT.plusSeconds(state.nameGenerator().below((int) MIN_TIMEOUT.toSeconds()));
                synchronized (timers) {
                    timers.add(taskScheduler.later(end, this::end));
                    if (options.bookmarks()) {
                        Duration beforeEnd = end.minus(BOOKMARK_BEFORE_END);
                        if (beforeEnd.isPositive()) {
                            timers.add(taskScheduler.later(beforeEnd, this::bookmark));
                        }
                        scheduleBookmark();
                    }
                }
            }

            private void scheduleBookmark() {
                synchronized (timers) {
                    if (!closed) {
                        timers.remove(bookmarkTimer);
                        bookmarkTimer = taskScheduler.later(BOOKMARK_INTERVAL, () -> {
                            bookmark();
                            scheduleBookmark();
                        });
                        timers.add(bookmarkTimer);
                    }
                }
            }

            private void end() {
                endDue = true;
                signal.run();
            }

            private void bookmark() {
                bookmarkDue = true;
                signal.run();
            }

            /** Whether the watch is over. */
            boolean isEndDue() {
                return endDue;
            }

            /** Whether a bookmark is due; true only once for each. Called by the reader of the watch only. */
            boolean takeBookmark() {
                boolean due = bookmarkDue;
                bookmarkDue = false;
                return due;
            }

            @Override
            public void close() {
                synchronized (timers) {
                    closed = true;
                    timers.forEach(TaskScheduler.Timer::cancel);
                    timers.clear();
                }
            }
        }
    }
}
