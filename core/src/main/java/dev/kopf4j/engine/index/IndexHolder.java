package dev.kopf4j.engine.index;

import org.jspecify.annotations.Nullable;

/** Where it is remembered what an object has in the indices. Guarded by the {@link ObjectIndexer} of its stream. */
public interface IndexHolder {
    /** What it has; null for nothing. */
    @Nullable IndexedObject indexed();

    /** Remembers what it has; null for nothing. */
    void indexed(@Nullable IndexedObject values);
}
