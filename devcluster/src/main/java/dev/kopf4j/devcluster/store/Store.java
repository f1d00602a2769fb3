package dev.kopf4j.devcluster.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All buckets under one version counter. Thread-safe: every write takes the one lock for a moment, so versions ascend
 * in the order in which changes become visible.
 */
public final class Store {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Bucket> buckets = new LinkedHashMap<>();
    private final List<BiConsumer<Bucket, Change>> observers = new CopyOnWriteArrayList<>();
    private final int windowSize;
    private @Nullable ChangeLog log;
    private long version;
    /** Up to where the windows were filled by replaying, so that buckets may begin there. */
    private long base;

    /**
     * A new empty store.
     *
     * @param windowSize how many changes each resource keeps for watches and lists of older versions
     * @param firstVersion where the counter starts
     */
    public Store(int windowSize, long firstVersion) {
        this.windowSize = windowSize;
        this.version = firstVersion;
        this.base = firstVersion;
    }

    /** Keeps all further changes in that log. */
    public void log(ChangeLog changeLog) {
        lock.lock();
        try {
            log = changeLog;
        } finally {
            lock.unlock();
        }
    }

    /** Puts back an object of a snapshot, before anybody looks. */
    public void restore(String bucket, StoredObject object) {
        buckets.computeIfAbsent(bucket, name -> new Bucket(name, base)).restore(object);
    }

    /** Ends a snapshot: all that was restored is of that version. */
    public void restored(long atVersion) {
        version = atVersion;
        base = atVersion;
        buckets.values().forEach(bucket -> bucket.forget(atVersion));
    }

    /** Makes a change again that was made before, before anybody looks; after is null for a removal. */
    public void replay(String id, long atVersion, String namespace, String name, @Nullable StoredObject after) {
        Bucket bucket = buckets.computeIfAbsent(id, key -> new Bucket(key, base));
        StoredObject before = bucket.get(namespace, name);
        version = atVersion;
        if (before != null || after != null) {
            bucket.apply(new Change(atVersion, before, after), windowSize);
        }
    }

    /** Forgets a bucket again, before anybody looks. */
    public void replayDiscard(String id) {
        buckets.remove(id);
    }

    /** Shows all objects of one moment, under the lock: the reader must return soon. */
    public void capture(BiConsumer<Long, Map<String, List<StoredObject>>> reader) {
        lock.lock();
        try {
            Map<String, List<StoredObject>> objects = new LinkedHashMap<>();
            buckets.forEach((id, bucket) -> objects.put(id, bucket.all()));
            reader.accept(version, objects);
        } finally {
            lock.unlock();
        }
    }

    /** The objects of a list and the version that they are of. */
    public record Listing(List<StoredObject> objects, long version) {}

    /** The version of the last change. */
    public long version() {
        return locked(() -> version);
    }

    /** The bucket of a resource, made when there is none. Its window starts with the moment of its making. */
    public Bucket bucket(String id) {
        return locked(() -> buckets.computeIfAbsent(id, name -> new Bucket(name, version)));
    }

    /** All buckets. */
    public List<Bucket> buckets() {
        return locked(() -> List.copyOf(buckets.values()));
    }

    /** Removes an empty bucket, so that its window starts anew with the next one of that name. */
    public void discard(Bucket bucket) {
        lock.lock();
        try {
            if (bucket.size() > 0) {
                throw new IllegalStateException("bucket " + bucket.id() + " still holds " + bucket.size() + " objects");
            }
            if (log != null) {
                log.discard(bucket.id(), version);
            }
            buckets.remove(bucket.id(), bucket);
            bucket.forget(version);
            bucket.cursors().forEach(Cursor::wake);
        } finally {
            lock.unlock();
        }
    }

    /** Tells every change, under the lock and in order: the observer must return at once and not write. */
    public void observe(BiConsumer<Bucket, Change> observer) {
        observers.add(observer);
    }

    /** Stores a new object; null when the place is taken. */
    public @Nullable StoredObject create(Bucket bucket, StoredObject draft) {
        return locked(() -> {
            if (bucket.get(draft.namespace(), draft.name()) != null) {
                return null;
            }
            return commit(bucket, null, draft);
        });
    }

    /** Replaces exactly that state by the next; null when it is not the current one any more. */
    public @Nullable StoredObject replace(Bucket bucket, StoredObject expected, StoredObject next) {
        return locked(() -> {
            if (!expected.equals(bucket.get(expected.namespace(), expected.name()))) {
                return null;
            }
            return commit(bucket, expected, next);
        });
    }

    /** Removes exactly that state; the version of the removal, or 0 when it is not the current one any more. */
    public long remove(Bucket bucket, StoredObject expected) {
        return locked(() -> {
            if (!expected.equals(bucket.get(expected.namespace(), expected.name()))) {
                return 0L;
            }
            tell(bucket, new Change(version + 1, expected, null));
            return version;
        });
    }

    private StoredObject commit(Bucket bucket, @Nullable StoredObject before, StoredObject draft) {
        StoredObject stored = draft.at(version + 1);
        tell(bucket, new Change(stored.version(), before, stored));
        return stored;
    }

    private void tell(Bucket bucket, Change change) {
        if (log != null) {
            log.append(bucket.id(), change);
        }
        version = change.version();
        bucket.apply(change, windowSize);
        observers.forEach(observer -> observer.accept(bucket, change));
    }

    /** The objects of a namespace (empty: of all) now. */
    public Listing list(Bucket bucket, String namespace) {
        return locked(() -> new Listing(range(bucket, version, namespace, ""), version));
    }

    /**
     * The objects of a namespace (empty: of all) as of a version, those after a place only (empty: from the start);
     * null when the window does not cover that version any more.
     */
    public @Nullable Listing list(Bucket bucket, String namespace, long atVersion, String after) {
        return locked(() -> {
            if (atVersion < bucket.complete()) {
                return null;
            }
            return new Listing(range(bucket, atVersion, namespace, after), atVersion);
        });
    }

    private static List<StoredObject> range(Bucket bucket, long atVersion, String namespace, String after) {
        String from = namespace.isEmpty() ? "" : namespace + "/";
        String until = namespace.isEmpty() ? null : namespace + "0";
        String start = after.isEmpty() ? from : after + "\0";
        return bucket.at(atVersion, start.compareTo(from) < 0 ? from : start, until);
    }

    /** A cursor behind a version; it will say that it is lost when the window does not reach back that far. */
    public Cursor follow(Bucket bucket, long afterVersion, Runnable signal) {
        return locked(() -> {
            Cursor cursor = new Cursor(this, bucket, afterVersion, signal);
            bucket.add(cursor);
            return cursor;
        });
    }

    /** Forgets the changes of all windows up to now, as a compaction does. */
    public void compact() {
        lock.lock();
        try {
            buckets.values().forEach(bucket -> bucket.forget(version));
        } finally {
            lock.unlock();
        }
    }

    Cursor.Batch read(Cursor cursor, Bucket bucket, int count) {
        return locked(() -> {
            if (cursor.version() < bucket.complete()) {
                return new Cursor.Batch.Lost(cursor.version(), version);
            }
            List<Change> changes = new ArrayList<>(bucket.after(cursor.version(), count));
            long reached = changes.size() < count ? version : changes.getLast().version();
            cursor.moveTo(reached);
            return new Cursor.Batch.Changes(changes, reached);
        });
    }

    void drop(Cursor cursor, Bucket bucket) {
        lock.lock();
        try {
            bucket.remove(cursor);
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
