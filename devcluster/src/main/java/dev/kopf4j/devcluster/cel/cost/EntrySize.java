package dev.kopf4j.devcluster.cel.cost;

import org.jspecify.annotations.Nullable;

/**
 * How big the keys and values of a map are, or the elements of a list, that an expression makes itself.
 *
 * @param list true for lists
 */
record EntrySize(boolean list, Estimate key, Estimate value) {
    /** What fits both; null unless both are known. */
    static @Nullable EntrySize union(@Nullable EntrySize left, @Nullable EntrySize right) {
        if (left == null || right == null) {
            return null;
        }
        return new EntrySize(left.list, left.key.union(right.key), left.value.union(right.value));
    }
}
