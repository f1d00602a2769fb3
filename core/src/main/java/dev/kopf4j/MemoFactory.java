package dev.kopf4j;

/**
 * Makes the memo of an object out of the operator's, when a handler of the object asks for it first. Called from any
 * thread.
 *
 * @param <M> the class of the memos
 * @see OperatorBuilder#memo(Object, MemoFactory)
 */
@FunctionalInterface
public interface MemoFactory<M> {
    /** The memo of one more object: a copy as a rule. */
    M forObject(M operatorMemo);

    /** All objects share the operator's memo. */
    static <M> MemoFactory<M> shared() {
        return memo -> memo;
    }
}
