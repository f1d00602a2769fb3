package dev.kopf4j;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the functions of an {@link OnIndex} have made of the objects of the cluster: values by keys. A key that has no
 * values is not there.
 *
 * <p>Read-only: changes are refused by {@link UnsupportedOperationException}. Live, and readable from any thread at any
 * time, also after the handler that was given it has ended. Look-ups take the same time however large the index is.
 * When an object's result changes, its new values are there before its old ones are gone; each of them appears and
 * disappears in one step. In handlers of objects it is complete; in index functions, and while the operator starts, it
 * may not be yet. Made by the framework; not to be implemented.
 *
 * @param <K> the type of the keys; {@link Void} if the functions return plain values, which are all under the key null
 * @param <V> the type of the values
 */
public interface Index<K extends @Nullable Object, V extends @Nullable Object> extends Map<K, Store<V>> {
    /** The values under a key; an empty store, which stays empty, if there are none. */
    Store<V> store(K key);

    /** The values of functions that return no maps: those under the key null. */
    Store<V> store();
}
