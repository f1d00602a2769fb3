package dev.kopf4j;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values under one key of an {@link Index}: one of each object that has brought a value in, in the order in which
 * the objects did so first.
 *
 * <p>Read-only: changes are refused by {@link UnsupportedOperationException}. Live, and readable from any thread at any
 * time: what is brought in or removed during an iteration may be seen or not, all else is seen exactly once. Once its
 * last value is gone a store stays empty; ask the index again rather than keeping a store. Made by the framework; not
 * to be implemented.
 *
 * @param <V> the type of the values
 */
public interface Store<V extends @Nullable Object> extends Collection<V> {
    /** Any of the values, for keys that can have but one; empty if there is none, or it is null. */
    Optional<V> first();
}
