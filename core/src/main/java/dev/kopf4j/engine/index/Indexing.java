package dev.kopf4j.engine.index;

import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.util.List;

/**
 * The indices of an operator, and the calls that fill them. Thread-safe.
 *
 * @param indices all of them
 * @param functions calls index functions
 */
public record Indexing(IndexSet indices, IndexFunctionCalls functions) {
    /** Keeps the objects of one stream in the indices, by these functions in the order of their registration. */
    public ObjectIndexer indexer(List<RegisteredHandler> those) {
        return ObjectIndexer.of(those, indices, functions);
    }
}
