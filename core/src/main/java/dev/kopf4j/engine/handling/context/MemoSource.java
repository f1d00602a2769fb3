package dev.kopf4j.engine.handling.context;

import dev.kopf4j.MemoFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where the memos of an operator come from. Immutable, as far as the memo is.
 *
 * @param operator the operator's own memo
 * @param factory makes the objects' memos out of it
 * @param kept has the objects' memos from one run to the next; null if each run begins with new ones
 * @param <M> the class of the memos
 */
public record MemoSource<M>(
        M operator, MemoFactory<M> factory, @Nullable KeptMemos kept) {
    /** The memo of one more object. */
    public M forObject() {
        return factory.forObject(operator);
    }
}
