package dev.kopf4j;

import java.util.Map;
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
 * Belongs to one call of the parent: confined to its thread. Made by the framework; not to be implemented.
 */
public interface SubHandlers {
    /**
     * Declares a sub-handler. It is called after the parent's function has returned, unless {@link #execute} is called
     * first.
     *
     * @param id its id below the parent's id: {@code parent/id}; of two with one id the first one is called
     */
    default void add(String id, Handler handler) {
        add(id, options -> {}, handler);
    }

    /**
     * Declares a sub-handler with options.
     *
     * @throws HandlerDeclarationException if the options make no sense here
     */
    void add(String id, Consumer<? super Options> options, Handler handler);

    /**
     * Declares a method of the parent's class that has {@link SubHandler} as a sub-handler, under its own id.
     *
     * @throws HandlerDeclarationException if there is no such method
     */
    default void addMethod(String method) {
        addMethod(method, null, null);
    }

    /**
     * The same under an id of its own.
     *
     * @param id its id below the parent's id
     */
    default void addMethod(String method, String id) {
        addMethod(method, id, null);
    }

    /**
     * Declares a method of the parent's class that has {@link SubHandler} as a sub-handler, once for each id, as in
     * {@code subHandlers.addMethod("makeItem", "item-" + item.name(), item)}.
     *
     * @param id its id below the parent's id; null for its own
     * @param param what its parameter {@code param} gets, and {@link HandlerContext#param()}
     * @throws HandlerDeclarationException if there is no such method
     */
    void addMethod(String method, @Nullable String id, @Nullable Object param);

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
     * The same with a lifecycle of its own, which decides which of those that are due are called in this call of the
     * parent; without one, it is that of the operator. A lifecycle of the user's own that fails, or plans none, is a
     * failure of the parent.
     *
     * @throws SubHandlersUnfinishedException if some have to be called again later. Let it through; the parent is
     *     called again in any case
     * @throws InterruptedException if the parent is interrupted meanwhile
     */
    void execute(HandlerLifecycle lifecycle) throws InterruptedException;

    /**
     * Declares these sub-handlers, by their ids and in the order of the map, and executes all that are declared.
     *
     * @throws SubHandlersUnfinishedException if some have to be called again later
     * @throws InterruptedException if the parent is interrupted meanwhile
     */
    default void execute(Map<String, ? extends Handler> handlers) throws InterruptedException {
        handlers.forEach(this::add);
        execute();
    }

    /**
     * Declares these sub-handlers, by their ids and in the order of the map, and executes all that are declared with a
     * lifecycle of its own.
     *
     * @throws SubHandlersUnfinishedException if some have to be called again later
     * @throws InterruptedException if the parent is interrupted meanwhile
     */
    default void execute(HandlerLifecycle lifecycle, Map<String, ? extends Handler> handlers)
            throws InterruptedException {
        handlers.forEach(this::add);
        execute(lifecycle);
    }

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
