package dev.kopf4j.engine.index;

import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexOutcome;
import dev.kopf4j.engine.index.IndexedObject.IndexedValue;
import dev.kopf4j.engine.index.ObjectIndexer.WrittenObjects.Written;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Monitor;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the objects of one stream in the indices: by what the stream tells, and by what the operator itself has written
 * and the stream has not told of yet. Thread-safe; what the stream tells of an object is given to one thread at a time.
 */
public final class ObjectIndexer {
    private final List<IndexWithFunctions> parts;
    private final IndexFunctionCalls calls;
    private final IndexFunctionCalls writtenCalls;
    private final Monitor monitor;

    // Guarded by the monitor.
    private final WrittenObjects written = new WrittenObjects(this::discard);

    /** One index, with the functions that bring objects of the resource in. */
    private record IndexWithFunctions(LiveIndex<Object, Object> index, List<RegisteredHandler> functions) {}

    private ObjectIndexer(List<IndexWithFunctions> parts, IndexFunctionCalls calls) {
        this.parts = parts;
        this.calls = calls;
        this.writtenCalls = calls.withinCalls();
        this.monitor = calls.platform().monitor();
    }

    /** Keeps the objects of one stream in the indices, by these functions in the order of their registration. */
    public static ObjectIndexer of(List<RegisteredHandler> functions, IndexFunctionCalls calls) {
        Map<String, List<RegisteredHandler>> byId = functions.stream()
                .collect(Collectors.groupingBy(RegisteredHandler::id, LinkedHashMap::new, Collectors.toList()));
        return new ObjectIndexer(
                byId.entrySet().stream()
                        .map(entry -> new IndexWithFunctions(
                                calls.indices().get(entry.getKey()), List.copyOf(entry.getValue())))
                        .toList(),
                calls);
    }

    /** True if objects of this resource are in no index. */
    public boolean isIdle() {
        return parts.isEmpty();
    }

    /**
     * Brings the indices up to an event of an object, unless the operator itself has written a later state.
     *
     * @param holder remembers what the object has in the indices
     * @throws InterruptedException if the operator stops
     */
    public void update(ResourceObject resourceObject, RawEvent event, IndexHolder holder) throws InterruptedException {
        if (parts.isEmpty()) {
            return;
        }
        String uid = uid(resourceObject);
        if (event.type() == WatchEventType.DELETED) {
            monitor.locked(() -> {
                written.gone(uid);
                discard(holder);
            });
            return;
        }
        long version = ResourceVersions.number(event.body());
        for (int i = 0; i < parts.size(); i++) {
            int part = i;
            Attempts attempts = monitor.locked(() -> written.isOutdated(uid, version, holder)
                    ? Attempts.NONE
                    : new Attempts(true, failures(holder, part)));
            if (!attempts.due()) {
                return;
            }
            IndexOutcome outcome = calls.call(parts.get(part).functions(), resourceObject, event, attempts.failures());
            monitor.locked(() -> {
                if (!written.isOutdated(uid, version, holder)) {
                    apply(outcome, part, holder, version);
                }
            });
        }
    }

    /**
     * What is to be called.
     *
     * @param failures the attempts that have failed so far; null if there are none
     */
    private record Attempts(boolean due, @Nullable ProgressRecord failures) {
        static final Attempts NONE = new Attempts(false, null);
    }

    /**
     * Brings the indices up to a state that the operator itself has written, if the stream has not told of it yet. If a
     * function fails, the object is indexed when the stream tells of it.
     *
     * @throws InterruptedException if the operator stops
     */
    public void written(ResourceObject resourceObject, RawEvent event, StreamKnowledge stream)
            throws InterruptedException {
        String uid = uid(resourceObject);
        long version = ResourceVersions.number(event.body());
        Written own = new Written(version, stream.currentList());
        boolean newer = version >= 0 && monitor.locked(() -> isNewer(uid, own, event, stream));
        for (int i = 0; newer && i < parts.size(); i++) {
            int part = i;
            IndexOutcome outcome = writtenCalls.call(parts.get(part).functions(), resourceObject, event, null);
            boolean failed = outcome instanceof IndexOutcome.Removed(var failures) && failures != null;
            newer = monitor.locked(() -> {
                boolean newest = isNewest(own, uid);
                if (newest && !failed) {
                    apply(outcome, part, holder(own, uid, stream), version);
                }
                return newest;
            });
        }
    }

    @SuppressWarnings("ReferenceEquality") // that very write
    private boolean isNewest(Written own, String uid) {
        return written.find(uid) == own;
    }

    private boolean isNewer(String uid, Written own, RawEvent event, StreamKnowledge stream) {
        Written before = written.find(uid);
        IndexHolder known = stream.holder(uid);
        IndexHolder holder = known != null ? known : before;
        IndexedObject indexed = holder == null ? null : holder.indexed();
        long version = ResourceVersions.number(event.body());
        boolean told =
                indexed == null ? stream.hasTold(uid, ResourceVersions.of(event.body())) : indexed.version() >= version;
        boolean newer = !told && (before == null || !before.isNewerThan(version));
        if (newer) {
            written.add(uid, own);
        }
        return newer;
    }

    private static IndexHolder holder(Written own, String uid, StreamKnowledge stream) {
        IndexHolder known = stream.holder(uid);
        return known == null ? own : known;
    }

    /** The operator itself has deleted an object, and it is gone. */
    public void writtenAway(String uid, StreamKnowledge stream) {
        monitor.locked(() -> {
            IndexHolder known = stream.holder(uid);
            IndexHolder holder = known != null ? known : written.find(uid);
            if (holder != null) {
                discard(holder);
                written.add(uid, new Written(Written.GONE, stream.currentList()));
            }
        });
    }

    /** A list of the stream is complete. */
    public void listed(StreamKnowledge stream, String listVersion) {
        monitor.locked(() -> written.listed(stream, ResourceVersions.number(listVersion)));
    }

    private static @Nullable ProgressRecord failures(IndexHolder holder, int i) {
        IndexedObject known = holder.indexed();
        return known == null ? null : known.failures(i);
    }

    private void apply(IndexOutcome outcome, int i, IndexHolder holder, long version) {
        IndexedObject known = holder.indexed();
        IndexedObject object = known == null ? new IndexedObject(parts.size()) : known;
        LiveIndex<Object, Object> index = parts.get(i).index();
        object.version(version);
        switch (outcome) {
            case IndexOutcome.Replaced(var result) -> {
                IndexedValue own = object.content(i);
                object.content(i, null);
                object.content(i, index.replace(own, result));
                object.failures(i, null);
            }
            case IndexOutcome.Kept() -> object.failures(i, null);
            case IndexOutcome.Removed(var failures) -> {
                index.discard(object.content(i));
                object.content(i, null);
                object.failures(i, failures);
            }
        }
        holder.indexed(object.isEmpty() ? null : object);
    }

    private static String uid(ResourceObject resourceObject) {
        return String.valueOf(resourceObject.reference().uid());
    }

    /** Takes an object out of all indices. */
    public void discard(IndexHolder holder) {
        IndexedObject known = holder.indexed();
        if (known != null) {
            discard(known);
            holder.indexed(null);
        }
    }

    private void discard(IndexedObject known) {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).index().discard(known.content(i));
            known.content(i, null);
        }
    }

    /** The stream has ended for good: what it has not told of is not known any more. */
    public void end() {
        monitor.locked(written::clear);
    }

    /**
     * What the operator itself has written, and its stream has not told of yet: the indices are ahead of the stream
     * there, and what it tells of earlier states is passed over. An object leaves this list when the stream has come as
     * far, or has listed all objects anew, or when there are too many. Guarded by the {@link ObjectIndexer}.
     */
    static final class WrittenObjects {
        private static final int REMEMBERED_MAX = 1000;

        private final Map<String, Written> byUid = new LinkedHashMap<>();
        private final Consumer<IndexedObject> discarding;

        /**
         * Nothing was written.
         *
         * @param discarding takes values out of the indices
         */
        WrittenObjects(Consumer<IndexedObject> discarding) {
            this.discarding = discarding;
        }

        /** One object; remembers what it has in the indices while the stream does not know it. */
        static final class Written implements IndexHolder {
            /** The object was deleted. */
            static final long GONE = Long.MAX_VALUE;

            private final long version;
            private final int list;
            private @Nullable IndexedObject own;

            /**
             * An object.
             *
             * @param list the number of the list that had begun
             */
            Written(long version, int list) {
                this.version = version;
                this.list = list;
            }

            boolean isNewerThan(long other) {
                return version == GONE || (other >= 0 && version > other);
            }

            @Override
            public @Nullable IndexedObject indexed() {
                return own;
            }

            @Override
            public void indexed(@Nullable IndexedObject values) {
                own = values;
            }
        }

        @Nullable Written find(String uid) {
            return byUid.get(uid);
        }

        /** The operator has written an object; what was known of it is kept. */
        void add(String uid, Written written) {
            Written before = byUid.remove(uid);
            if (before != null) {
                written.own = before.own;
            }
            byUid.put(uid, written);
            if (byUid.size() > REMEMBERED_MAX) {
                Iterator<Written> eldest = byUid.values().iterator();
                discard(eldest.next());
                eldest.remove();
            }
        }

        /**
         * The stream tells of an object, which it knows from now on.
         *
         * @return true if it tells of an earlier state than the written one
         */
        boolean isOutdated(String uid, long version, IndexHolder holder) {
            Written written = byUid.get(uid);
            if (written == null) {
                return false;
            }
            if (holder.indexed() == null) {
                holder.indexed(written.own);
            } else {
                discard(written);
            }
            written.own = null;
            if (written.isNewerThan(version)) {
                return true;
            }
            byUid.remove(uid);
            return false;
        }

        /** The stream tells that an object is gone. */
        void gone(String uid) {
            Written written = byUid.remove(uid);
            if (written != null) {
                discard(written);
            }
        }

        /** A list is complete, which has all that was written before it began, and that still exists. */
        void listed(StreamKnowledge stream, long listVersion) {
            byUid.entrySet().removeIf(entry -> {
                Written written = entry.getValue();
                boolean vanished = !written.isNewerThan(listVersion) && stream.holder(entry.getKey()) == null;
                boolean over = vanished || written.list < stream.currentList();
                if (over) {
                    discard(written);
                }
                return over;
            });
        }

        /** Nothing of it counts any more. */
        void clear() {
            byUid.values().forEach(this::discard);
            byUid.clear();
        }

        private void discard(Written written) {
            if (written.own != null) {
                discarding.accept(written.own);
            }
        }
    }

    /** What a stream knows of objects that the operator itself has written. Thread-safe. */
    public interface StreamKnowledge {
        /** Where an object is remembered; null if the stream has not told of it, or has told that it is gone. */
        @Nullable IndexHolder holder(String uid);

        /** True if the stream has told of that version of an object, or of a later one, and nothing of it waits. */
        boolean hasTold(String uid, String version);

        /** The number of the last list that has begun. */
        int currentList();
    }

    /** Where it is remembered what an object has in the indices. Guarded by the {@link ObjectIndexer} of its stream. */
    public interface IndexHolder {
        /** What it has; null for nothing. */
        @Nullable IndexedObject indexed();

        /** Remembers what it has; null for nothing. */
        void indexed(@Nullable IndexedObject values);
    }
}
