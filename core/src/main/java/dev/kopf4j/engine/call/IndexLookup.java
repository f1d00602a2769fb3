package dev.kopf4j.engine.call;

import dev.kopf4j.Index;

/** The indices of an operator. Thread-safe. */
@FunctionalInterface
public interface IndexLookup {
    /**
     * The index of an id.
     *
     * @throws IllegalArgumentException if there is none; the message names those that there are
     */
    Index<?, ?> get(String id);
}
