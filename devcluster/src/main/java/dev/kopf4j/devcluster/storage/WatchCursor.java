package dev.kopf4j.devcluster.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A position in the changes of a bucket. The reader pulls new changes, and gets a signal when there are more. The
 * cursor has no queue of its own: if it falls behind the bucket's window, the reader gets {@link Batch.TooOld} and must
 * end. Used by its reader only; the signal runs on the writing thread and must return at once.
 */
public final class WatchCursor {
    private final ObjectStore objectStore;
    private final ResourceBucket resourceBucket;
    private final Runnable signal;
    private long version;
    private @Nullable Deque<ObjectChange> last;

    WatchCursor(ObjectStore objectStore, ResourceBucket resourceBucket, long version, Runnable signal) {
        this.objectStore = objectStore;
        this.resourceBucket = resourceBucket;
        this.version = version;
        this.signal = signal;
    }

    /** What a reader gets. */
    public sealed interface Batch {
        /** Changes, oldest first; none if the reader has all up to the version. */
        record Changes(List<ObjectChange> changes, long version) implements Batch {}

        /** The window no longer covers the cursor's version. */
        record TooOld(long version, long current) implements Batch {}

        /** The watches of the bucket have been ended, and the reader has all changes before that. */
        record Ended() implements Batch {}
    }

    /** The next changes, at most this number. */
    public Batch next(int count) {
        return objectStore.read(this, resourceBucket, count);
    }

    /** Ends it behind what has changed until now, as {@link ObjectStore#endCursors} does for all of a bucket. */
    public void end() {
        objectStore.end(this, resourceBucket);
    }

    long version() {
        return version;
    }

    void moveTo(long newVersion) {
        version = newVersion;
    }

    /** Ends it behind these changes; called under the lock of the store. */
    void end(List<ObjectChange> changes) {
        if (last == null) {
            last = new ArrayDeque<>(changes);
        }
        wake();
    }

    /** The next changes of one that was ended; null if it was not. Called under the lock of the store. */
    @Nullable Batch rest(int count) {
        if (last == null || last.isEmpty()) {
            return last == null ? null : new Batch.Ended();
        }
        List<ObjectChange> changes = new ArrayList<>();
        while (changes.size() < count && !last.isEmpty()) {
            changes.add(last.remove());
        }
        version = changes.getLast().version();
        return new Batch.Changes(changes, version);
    }

    void wake() {
        signal.run();
    }

    /** Stops the signals. May be called more than once, from any thread. */
    public void close() {
        objectStore.drop(this, resourceBucket);
    }
}
