package dev.kopf4j.devcluster.storage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All buckets under one version counter. Thread-safe: every write takes the one lock for a moment, so versions ascend
 * in the order in which changes become visible.
 */
public final class ObjectStore {
    /** How many bytes of former states all windows may hold. */
    private static final long WINDOW_BYTES = 48L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ResourceBucket> buckets = new LinkedHashMap<>();
    private final List<BiConsumer<ResourceBucket, ObjectChange>> observers = new CopyOnWriteArrayList<>();
    private final int windowSize;
    private @Nullable WriteAheadLog log;
    private final Set<String> discarded = new HashSet<>();
    private long version;
    /** The version up to which the journal was replayed: windows of new buckets begin there. */
    private long base;

    /**
     * A new empty store.
     *
     * @param windowSize how many changes each resource keeps for watches and lists of older versions
     * @param firstVersion where the counter starts
     */
    public ObjectStore(int windowSize, long firstVersion) {
        this.windowSize = windowSize;
        this.version = firstVersion;
        this.base = firstVersion;
    }

    /** Records all further changes in a log. */
    public void log(WriteAheadLog writeAheadLog) {
        alone(() -> log = writeAheadLog);
    }

    /** Restores an object of a snapshot, before the store is used. */
    public void restore(String bucket, StoredObject object) {
        buckets.computeIfAbsent(bucket, name -> new ResourceBucket(name, base)).restore(object);
    }

    /** Ends the restoring of a snapshot, which has this version. */
    public void endRestore(long atVersion) {
        version = atVersion;
        base = atVersion;
        buckets.values().forEach(resourceBucket -> resourceBucket.forget(atVersion));
    }

    /**
     * Replays a change, before the store is used.
     *
     * @param after null for a removal
     */
    public void replay(String id, long atVersion, String namespace, String name, @Nullable StoredObject after) {
        ResourceBucket resourceBucket = buckets.computeIfAbsent(id, key -> new ResourceBucket(key, base));
        StoredObject before = resourceBucket.get(namespace, name);
        version = atVersion;
        if (before != null || after != null) {
            apply(resourceBucket, new ObjectChange(atVersion, before, after));
        }
    }

    /** Replays the removal of a bucket, before the store is used. */
    public void replayDiscard(String id) {
        buckets.remove(id);
        discarded.add(id);
    }

    /** Passes all objects to a reader, under the lock: the reader must return soon. */
    public void capture(BiConsumer<Long, Map<String, List<StoredObject>>> reader) {
        alone(() -> {
            Map<String, List<StoredObject>> objects = new LinkedHashMap<>();
            buckets.forEach((id, resourceBucket) -> objects.put(id, resourceBucket.all()));
            reader.accept(version, objects);
        });
    }

    /** The version of the last change. */
    public long version() {
        return locked(() -> version);
    }

    /** Lets the next change have this version, if that is higher than all before. */
    public void advance(long nextVersion) {
        alone(() -> version = Math.max(version, nextVersion - 1));
    }

    /**
     * The bucket of a resource, created if there is none. The window of one that was discarded starts anew; that of
     * another reaches back to the start or the last compaction, as there were no changes.
     */
    public ResourceBucket bucket(String id) {
        return locked(() -> buckets.computeIfAbsent(
                id, name -> new ResourceBucket(name, discarded.contains(name) ? version : base)));
    }

    /** All buckets. */
    public List<ResourceBucket> buckets() {
        return locked(() -> List.copyOf(buckets.values()));
    }

    /** Removes an empty bucket, so that its window starts anew with the next one of that name. */
    public void discard(ResourceBucket resourceBucket) {
        alone(() -> {
            if (resourceBucket.size() > 0) {
                throw new IllegalStateException(
                        "bucket " + resourceBucket.id() + " still holds " + resourceBucket.size() + " objects");
            }
            if (log != null) {
                log.discard(resourceBucket.id(), version);
            }
            buckets.remove(resourceBucket.id(), resourceBucket);
            discarded.add(resourceBucket.id());
            endAll(resourceBucket);
            resourceBucket.forget(version);
        });
    }

    /** Ends the cursors that follow a bucket: their readers get what has changed until now, and nothing after it. */
    public void endCursors(ResourceBucket resourceBucket) {
        alone(() -> endAll(resourceBucket));
    }

    private static void endAll(ResourceBucket resourceBucket) {
        resourceBucket.cursors().forEach(watchCursor -> endOne(watchCursor, resourceBucket));
    }

    private static void endOne(WatchCursor watchCursor, ResourceBucket resourceBucket) {
        boolean covered = watchCursor.version() >= resourceBucket.oldestCoveredVersion();
        if (covered) { // otherwise the reader gets to know that it has missed something
            watchCursor.end(resourceBucket.after(watchCursor.version(), Integer.MAX_VALUE));
        }
    }

    void end(WatchCursor watchCursor, ResourceBucket resourceBucket) {
        alone(() -> endOne(watchCursor, resourceBucket));
    }

    /**
     * Adds an observer of all changes. It is called under the lock and in order; it must return at once and not write.
     */
    public void observe(BiConsumer<ResourceBucket, ObjectChange> observer) {
        observers.add(observer);
    }

    /** Stores a new object; null if there is one with that name. */
    public @Nullable StoredObject create(ResourceBucket resourceBucket, StoredObject draft) {
        return create(resourceBucket, draft, () -> {});
    }

    /**
     * The same.
     *
     * @param check runs under the lock before the object is stored, and refuses it by an exception; it may write other
     *     objects, as nothing but a failure of the log keeps this one from being stored then
     */
    public @Nullable StoredObject create(ResourceBucket resourceBucket, StoredObject draft, Runnable check) {
        return locked(() -> {
            if (resourceBucket.get(draft.namespace(), draft.name()) != null) {
                return null;
            }
            check.run();
            return commit(resourceBucket, null, draft);
        });
    }

    /** Replaces the expected state by the next; null if it is not the current one any more. */
    public @Nullable StoredObject replace(ResourceBucket resourceBucket, StoredObject expected, StoredObject next) {
        return locked(() -> {
            if (!expected.equals(resourceBucket.get(expected.namespace(), expected.name()))) {
                return null;
            }
            return commit(resourceBucket, expected, next);
        });
    }

    /** Removes the expected state; returns the version of the removal, or 0 if it is not the current one any more. */
    public long remove(ResourceBucket resourceBucket, StoredObject expected) {
        return locked(() -> {
            if (!expected.equals(resourceBucket.get(expected.namespace(), expected.name()))) {
                return 0L;
            }
            publish(resourceBucket, new ObjectChange(version + 1, expected, null));
            return version;
        });
    }

    private StoredObject commit(ResourceBucket resourceBucket, @Nullable StoredObject before, StoredObject draft) {
        StoredObject stored = draft.at(version + 1);
        publish(resourceBucket, new ObjectChange(stored.version(), before, stored));
        return stored;
    }

    private void publish(ResourceBucket resourceBucket, ObjectChange objectChange) {
        if (log != null) {
            log.append(resourceBucket.id(), objectChange);
        }
        version = objectChange.version();
        apply(resourceBucket, objectChange);
        observers.forEach(observer -> observer.accept(resourceBucket, objectChange));
    }

    /** Applies a change; where the windows are too large together, the largest one becomes shorter. */
    private void apply(ResourceBucket resourceBucket, ObjectChange objectChange) {
        resourceBucket.apply(objectChange, windowSize);
        while (windowBytes() > WINDOW_BYTES) {
            Collections.max(buckets.values(), Comparator.comparingLong(ResourceBucket::windowBytes))
                    .forgetOldest();
        }
    }

    private long windowBytes() {
        long sum = 0;
        for (ResourceBucket each : buckets.values()) {
            sum += each.windowBytes();
        }
        return sum;
    }

    /** The objects of a namespace (empty: of all) now. */
    public Listing list(ResourceBucket resourceBucket, String namespace) {
        return locked(() -> new Listing(range(resourceBucket, version, namespace, ""), version));
    }

    /**
     * The objects of a namespace (empty: of all) at a version, only those after a key (empty: all); null if the window
     * does not cover that version any more.
     */
    public @Nullable Listing list(ResourceBucket resourceBucket, String namespace, long atVersion, String after) {
        return locked(() -> {
            if (atVersion < resourceBucket.oldestCoveredVersion()) {
                return null;
            }
            return new Listing(range(resourceBucket, atVersion, namespace, after), atVersion);
        });
    }

    private static List<StoredObject> range(
            ResourceBucket resourceBucket, long atVersion, String namespace, String after) {
        String from = namespace.isEmpty() ? "" : namespace + "/";
        String until = namespace.isEmpty() ? null : namespace + "0";
        String start = after.isEmpty() ? from : after + "\0";
        return resourceBucket.at(atVersion, start.compareTo(from) < 0 ? from : start, until);
    }

    /**
     * A cursor after a version; its first batch is {@link WatchCursor.Batch.TooOld} if the window does not reach back
     * that far.
     */
    public WatchCursor follow(ResourceBucket resourceBucket, long afterVersion, Runnable signal) {
        return locked(() -> {
            WatchCursor watchCursor = new WatchCursor(this, resourceBucket, afterVersion, signal);
            resourceBucket.add(watchCursor);
            return watchCursor;
        });
    }

    /** Forgets all past changes of all windows, as a compaction does. */
    public void compact() {
        alone(() -> {
            base = version;
            buckets.values().forEach(resourceBucket -> resourceBucket.forget(version));
        });
    }

    WatchCursor.Batch read(WatchCursor watchCursor, ResourceBucket resourceBucket, int count) {
        return locked(() -> {
            WatchCursor.Batch rest = watchCursor.rest(count);
            if (rest != null) {
                return rest;
            }
            if (watchCursor.version() < resourceBucket.oldestCoveredVersion()) {
                return new WatchCursor.Batch.TooOld(watchCursor.version(), version);
            }
            List<ObjectChange> changes = new ArrayList<>(resourceBucket.after(watchCursor.version(), count));
            long reached = changes.size() < count ? version : changes.getLast().version();
            watchCursor.moveTo(reached);
            return new WatchCursor.Batch.Changes(changes, reached);
        });
    }

    void drop(WatchCursor watchCursor, ResourceBucket resourceBucket) {
        alone(() -> resourceBucket.remove(watchCursor));
    }

    private void alone(Runnable work) {
        locked(() -> {
            work.run();
            return true;
        });
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
