package dev.kopf4j;

import org.jspecify.annotations.Nullable;

/** What all handlers can reach in memory: memos and indices. Made by the framework; not to be implemented. */
public interface MemoryAccess {
    /**
     * The memo: that of the object in handlers of objects, the operator's own in handlers of activities.
     *
     * @throws IllegalStateException if the operator was given a memo of another class; the message names it
     */
    default Memo memo() {
        return memo(Memo.class);
    }

    /**
     * The memo, of the class that the operator was given. That of an object is made when it is asked for first.
     *
     * @throws IllegalStateException if the operator was given a memo of another class; the message names it
     * @see OperatorBuilder#memo(Object, MemoFactory)
     */
    <M> M memo(Class<M> type);

    /**
     * An index. The types are not checked: keys and values are what the index functions have made.
     *
     * @throws IllegalArgumentException if there is none of this id; the message names those that there are
     */
    <K extends @Nullable Object, V extends @Nullable Object> Index<K, V> index(String id);
}
