package dev.kopf4j.devcluster.store;

import java.util.List;

/**
 * A place in the changes of a bucket: pulls what is new, and is told when there is more. It keeps no queue of its own;
 * a cursor that falls behind the bucket's window is told so and has to end. Confined to its reader, except for the
 * signal, which comes from the writing thread and must return at once.
 */
public final class Cursor {
    private final Store store;
    private final Bucket bucket;
    private final Runnable signal;
    private long version;

    Cursor(Store store, Bucket bucket, long version, Runnable signal) {
        this.store = store;
        this.bucket = bucket;
        this.version = version;
        this.signal = signal;
    }

    /** What a reader gets. */
    public sealed interface Batch {
        /** Changes, oldest first; none when the reader has seen everything up to the version. */
        record Changes(List<Change> changes, long version) implements Batch {}

        /** The window has moved on. */
        record Lost(long version, long current) implements Batch {}
    }

    /** The next changes, at most so many. */
    public Batch next(int count) {
        return store.read(this, bucket, count);
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
        store.drop(this, bucket);
    }
}
