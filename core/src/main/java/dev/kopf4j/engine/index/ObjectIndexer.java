package dev.kopf4j.engine.index;

import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexOutcome;
import dev.kopf4j.engine.index.LiveIndex.IndexedValue;
import dev.kopf4j.engine.index.WrittenObjects.StreamKnowledge;
import dev.kopf4j.engine.index.WrittenObjects.Written;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Monitor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private boolean ended;

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
     * Brings the indices up to an event of an object, unless the operator itself has written a later state. Nobody
     * wakes the object after a failure: a delay only means that its events until then do not call the function again.
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
                takeOut(holder);
            });
            return;
        }
        long version = ResourceVersions.number(event.body());
        for (int i = 0; i < parts.size(); i++) {
            int part = i;
            KnownBefore known = monitor.locked(() -> {
                written.told(uid, version, holder);
                return new KnownBefore(ended || written.isAhead(uid, version), failures(holder, part));
            });
            if (known.overtaken()) {
                return;
            }
            ProgressRecord failures = known.failures();
            boolean waits = failures != null && !failures.isDue(calls.platform().now());
            IndexOutcome outcome = waits
                    ? new IndexOutcome.Removed(failures)
                    : calls.call(parts.get(part).functions(), resourceObject, event, failures);
            monitor.locked(() -> {
                written.told(uid, version, holder);
                if (!ended && !written.isAhead(uid, version)) {
                    apply(outcome, part, holder, version);
                }
            });
        }
    }

    /**
     * What is known of an object before one of its events.
     *
     * @param overtaken true if the operator itself has written a later state, or the stream has ended
     * @param failures the attempts that have failed so far; null if there are none
     */
    private record KnownBefore(boolean overtaken, @Nullable ProgressRecord failures) {}

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
        boolean latest = version >= 0 && monitor.locked(() -> addIfAhead(own, uid, event, stream));
        for (int i = 0; latest && i < parts.size(); i++) {
            int part = i;
            IndexOutcome outcome = writtenCalls.call(parts.get(part).functions(), resourceObject, event, null);
            boolean failed = outcome instanceof IndexOutcome.Removed(var failures) && failures != null;
            latest = monitor.locked(() -> {
                boolean still = isLatest(own, uid);
                if (still && !failed) {
                    apply(outcome, part, holder(own, uid, stream), version);
                }
                return still;
            });
        }
    }

    @SuppressWarnings("ReferenceEquality") // that very write
    private boolean isLatest(Written own, String uid) {
        return written.find(uid) == own;
    }

    /** Remembers a write as the latest one, unless the stream or another write is as far; false then. */
    private boolean addIfAhead(Written own, String uid, RawEvent event, StreamKnowledge stream) {
        if (ended) {
            return false;
        }
        Written before = written.find(uid);
        IndexHolder known = stream.holder(uid);
        IndexHolder holder = known != null ? known : before;
        IndexedObject indexed = holder == null ? null : holder.indexed();
        long version = ResourceVersions.number(event.body());
        boolean told =
                indexed == null ? stream.hasTold(uid, ResourceVersions.of(event.body())) : indexed.version() >= version;
        if (told || written.isAhead(uid, version)) {
            return false;
        }
        written.add(uid, own);
        return true;
    }

    private static IndexHolder holder(Written own, String uid, StreamKnowledge stream) {
        IndexHolder known = stream.holder(uid);
        return known == null ? own : known;
    }

    /** The operator itself has deleted an object, which is not found in the indices from now on. */
    public void writtenAway(String uid, StreamKnowledge stream) {
        monitor.locked(() -> {
            IndexHolder known = stream.holder(uid);
            IndexHolder holder = known != null ? known : written.find(uid);
            if (holder != null && !ended) {
                takeOut(holder);
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
        monitor.locked(() -> takeOut(holder));
    }

    private void takeOut(IndexHolder holder) {
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

    /**
     * The stream has ended for good: what it has not told of is not known any more, and functions that go on bring
     * nothing in. To be called before its objects are {@linkplain #discard discarded}, as nobody would do so again.
     */
    public void end() {
        monitor.locked(() -> {
            ended = true;
            written.clear();
        });
    }

    /**
     * What one object has in the indices of its resource, and which functions have failed for it. Guarded by the
     * {@link ObjectIndexer}.
     */
    public static final class IndexedObject {
        private final @Nullable IndexedValue[] contents;
        private long version = -1;
        private @Nullable ProgressRecord @Nullable [] failures;

        /** An object that is in none of them. */
        IndexedObject(int indices) {
            this.contents = new IndexedValue[indices];
        }

        /** True if nothing is to be known of it. */
        boolean isEmpty() {
            return isEmpty(contents) && (failures == null || isEmpty(failures));
        }

        private static boolean isEmpty(@Nullable Object[] all) {
            return Arrays.stream(all).allMatch(Objects::isNull);
        }

        /** The version that was indexed last, as a number; -1 if it was none. */
        long version() {
            return version;
        }

        void version(long indexed) {
            version = indexed;
        }

        @Nullable IndexedValue content(int index) {
            return contents[index];
        }

        void content(int index, @Nullable IndexedValue content) {
            contents[index] = content;
        }

        @Nullable ProgressRecord failures(int index) {
            return failures == null ? null : failures[index];
        }

        /** Failures are allocated only for objects that have any, as most never fail. */
        void failures(int index, @Nullable ProgressRecord record) {
            if (failures == null && record != null) {
                failures = new ProgressRecord[contents.length];
            }
            if (failures != null) {
                failures[index] = record;
            }
        }
    }

    /**
     * Where it is remembered what an object has in the indices: in its {@code ObjectMemory}, or with the write that the
     * stream has not told of yet. Guarded by the {@link ObjectIndexer} of its stream.
     */
    public interface IndexHolder {
        /** What it has; null for nothing. */
        @Nullable IndexedObject indexed();

        /** Remembers what it has; null for nothing. */
        void indexed(@Nullable IndexedObject values);
    }
}
