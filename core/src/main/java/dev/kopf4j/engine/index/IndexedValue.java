package dev.kopf4j.engine.index;

import org.jspecify.annotations.Nullable;

/**
 * One value of one object under one key: a link in two chains, that of the key's values and that of the object's. Five
 * references, so that a value costs 32 bytes.
 */
final class IndexedValue {
    /** In place of the value, once it was taken out: readers may still stand here. */
    static final Object REMOVED = new Object();

    /** In place of null, which concurrent maps do not take. */
    private static final Object NULL = new Object();

    /** The key as the index stores it; one instance for all values of a key. */
    final Object key;

    volatile @Nullable Object value;

    /** The next value of the key. Stays where it is when the entry is taken out, so that readers find their way on. */
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
