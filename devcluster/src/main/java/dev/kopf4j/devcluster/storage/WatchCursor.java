package dev.kopf4j.devcluster.storage;

import java.util.List;

/**
 * A place in the changes of a bucket: pulls what is new, and is told when there is more. It keeps no queue of its own;
 * a cursor that falls behind the bucket's window is told so and has to end. Confined to its reader, except for the
 * signal, which comes from the writing thread and must return at once.
 */
public final class WatchCursor {
    private final ObjectStore objectStore;
    private final ResourceBucket resourceBucket;
    private final Runnable signal;
    private long version;

    WatchCursor(ObjectStore objectStore, ResourceBucket resourceBucket, long version, Runnable signal) {
        this.objectStore = objectStore;
        this.resourceBucket = resourceBucket;
        this.version = version;
        this.signal = signal;
    }

    /** What a reader gets. */
    public sealed interface Batch {
        /** Changes, oldest first; none when the reader has seen everything up to the version. */
        record Changes(List<ObjectChange> changes, long version) implements Batch {}

        /** The window has moved on. */
        record TooOld(long version, long current) implements Batch {}
    }

    /** The next changes, at most so many. */
    public Batch next(int count) {
        return objectStore.read(this, resourceBucket, count);
    }

    long version() {
        return version;
    }

    void moveTo(long newVersion) {
        version = newVersion;
    }

    void wake() {
        signal.run();
    }

    /** Stops the signals. May be called more than once, from any thread. */
    public void close() {
        objectStore.drop(this, resourceBucket);
    }
}
