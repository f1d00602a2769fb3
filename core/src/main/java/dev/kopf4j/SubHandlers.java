package dev.kopf4j;

import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that a handler of changes declares while it runs: each has a progress of its own, below that of its parent,
 * and the parent is finished only when all of them are.
 *
 * <p>The parent's function is called again in each cycle until then, and has to declare the same sub-handlers with the
 * same ids again; those that have succeeded are not called again. Sub-handlers may declare sub-handlers of their own.
 * Belongs to one call of the parent: confined to its thread.
 */
public interface SubHandlers {
    /**
     * Declares a sub-handler. It is called after the parent's function has returned, unless {@link #execute} is called
     * first.
     *
     * @param id its id below the parent's id: {@code parent/id}
     * @throws HandlerDeclarationException if the id was declared already
     */
    default void add(String id, Handler handler) {
        add(id, options -> {}, handler);
    }

    /**
     * Declares a sub-handler with options.
     *
     * @throws HandlerDeclarationException if the id was declared already, or the options make no sense here
     */
    void add(String id, Consumer<? super Options> options, Handler handler);

    /**
     * Calls the sub-handlers that were declared so far and are due, and waits for them. Returns when all of them have
     * succeeded or failed for good: what follows in the parent is done once then.
     *
     * @throws SubHandlersUnfinishedException if some have to be called again later. Let it through; the parent is
     *     called again in any case
     * @throws InterruptedException if the parent is interrupted meanwhile
     */
    void execute() throws InterruptedException;

    /**
     * The options of a sub-handler. Filters of the old and the new value are for sub-handlers of updates and of fields.
     * Made by the framework; not to be implemented.
     */
    interface Options extends HandlerOptions<Options>, RetryOptions<Options> {
        /**
         * The value of the field before the change.
         *
         * @param value as in {@link #fieldValue(Object)}
         */
        Options oldValue(Object value);

        /** The value of the field before the change; it is null where the field was absent. */
        Options oldValue(Predicate<? super @Nullable Object> test);

        /** The same, with a test that may ask for more about the object. */
        Options oldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test);

        /**
         * The value of the field after the change.
         *
         * @param value as in {@link #fieldValue(Object)}
         */
        Options newValue(Object value);

        /** The value of the field after the change; it is null where the field is absent. */
        Options newValue(Predicate<? super @Nullable Object> test);

        /** The same, with a test that may ask for more about the object. */
        Options newValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test);
    }
}
