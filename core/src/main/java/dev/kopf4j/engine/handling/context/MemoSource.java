package dev.kopf4j.engine.handling.context;

import dev.kopf4j.MemoFactory;

/**
 * Where the memos of an operator come from. Immutable, as far as the memo is.
 *
 * @param operator the operator's own memo
 * @param factory makes the objects' memos out of it
 * @param <M> the class of the memos
 */
public record MemoSource<M>(M operator, MemoFactory<M> factory) {
    /** The memo of one more object. */
    public M forObject() {
        return factory.forObject(operator);
    }
}
