package dev.kopf4j.engine.index;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one object has in the indices of its resource, and which functions have failed for it. Guarded by the
 * {@link ObjectIndexer}.
 */
public final class IndexedObject {
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

    /**
     * One value of one object under one key: a link in two chains, that of the key's values and that of the object's.
     * Five references, so that a value costs 32 bytes.
     */
    static final class IndexedValue {
        /** In place of the value, once it was taken out: readers may still stand here. */
        static final Object REMOVED = new Object();

        /** In place of null, which concurrent maps do not take. */
        private static final Object NULL = new Object();

        /** The key as the index stores it; one instance for all values of a key. */
        final Object key;

        volatile @Nullable Object value;

        /**
         * The next value of the key. Stays where it is when the entry is taken out, so that readers find their way on.
         */
        volatile @Nullable IndexedValue next;

        /** The value of the key before this one; for its writers, who exclude each other. */
        @Nullable IndexedValue previous;

        /** Another value of the same object; confined to the object's worker. */
        @Nullable IndexedValue sibling;

        IndexedValue(Object key, @Nullable Object value) {
            this.key = key;
            this.value = value;
        }

        /** A key as the index stores it. */
        static Object stored(@Nullable Object key) {
            return key == null ? NULL : key;
        }

        /** A key as users know it. */
        @SuppressWarnings("ReferenceEquality") // the mark itself
        static @Nullable Object shown(Object key) {
            return key == NULL ? null : key;
        }
    }
}
