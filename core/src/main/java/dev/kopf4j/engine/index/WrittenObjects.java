package dev.kopf4j.engine.index;

import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.index.ObjectIndexer.IndexedObject;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the operator itself has written, and its stream has not told of yet: the indices are ahead of the stream there,
 * and what it tells of earlier states is passed over. An object leaves this list when the stream has come as far, or
 * has listed all objects anew, or when there are too many. Guarded by the {@link ObjectIndexer}.
 */
public final class WrittenObjects {
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
     * The stream tells of an object, which it knows from now on: what the object has in the indices is remembered
     * there. The object leaves this list, unless the written state {@linkplain #isAhead is ahead} of the one that is
     * told.
     *
     * @param holder where the stream remembers it
     */
    void told(String uid, long version, IndexHolder holder) {
        Written written = byUid.get(uid);
        if (written == null) {
            return;
        }
        if (holder.indexed() == null) {
            holder.indexed(written.own);
        } else {
            discard(written);
        }
        written.own = null;
        if (!written.isNewerThan(version)) {
            byUid.remove(uid);
        }
    }

    /** True if the operator has written, or deleted, a later state of the object than this one. */
    boolean isAhead(String uid, long version) {
        Written written = byUid.get(uid);
        return written != null && written.isNewerThan(version);
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

    /** What a stream knows of objects that the operator itself has written. Thread-safe. */
    public interface StreamKnowledge {
        /** Where an object is remembered; null if the stream has not told of it, or has told that it is gone. */
        @Nullable IndexHolder holder(String uid);

        /** True if the stream has told of that version of an object, or of a later one, and nothing of it waits. */
        boolean hasTold(String uid, String version);

        /** The number of the last list that has begun. */
        int currentList();
    }
}
