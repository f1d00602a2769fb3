package dev.kopf4j;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls to external systems that a handler of changes, a timer or a daemon makes one after the other, each recorded on
 * the object before the next one begins: {@code String id = steps.run("create-db", () -> api.create(...))}.
 *
 * <p>A retry of the handler, or another process after a crash, runs the handler again from the top, and gets the
 * recorded results instead of calls. Steps are known by their names, so that their order is free, and the code around
 * them may change. A name has letters, digits, {@code -} and {@code _}; steps that are made for each of several things
 * have a key behind it: {@code steps.run("user", "alice", ...)}. Without a key, one that was made is refused in the
 * same call, but in a daemon's.
 *
 * <p><b>Recorded once, called at least once.</b> A recorded step is never called again for the same change. But a
 * process may end between a call and its record: then the call is made once more. So give {@link #idempotencyKey} to
 * systems that take one; for others let an {@linkplain Step#intent intent} be recorded before the call, which is never
 * repeated silently. A step costs one PATCH, with an intent two.
 *
 * <p>Records are sub-handlers in Kopf's progress format. They go when the handling of the change ends: with the next
 * change, steps are made anew. Those of a timer are kept until its call has succeeded, or failed for good; those of a
 * daemon until it ends by itself, over all restarts of the operator.
 *
 * <p>A result is JSON of up to 1 KiB: an identifier, not the whole answer, and no secret, since whoever may read the
 * object may read it. A call returns it as it will be read from the record.
 *
 * <p>An exception of a call ends the step's attempt and, let through, that of the handler; the handler's retry calls it
 * again. Steps with {@linkplain Step#retries limits} of their own throw {@link TemporaryException} until these are
 * reached, and {@link PermanentException} from then on.
 *
 * <p>Belongs to one call of a handler, and to none of its sub-handlers: confined to its thread. The calls of
 * {@link #all} run in threads of their own. Made by the framework; not to be implemented.
 */
public interface Steps {
    /**
     * Makes a step, unless it is recorded.
     *
     * @param name of the step, below the handler's id
     * @param call returns text, an int, a double, a truth value, a list or a map of such, or nothing; for other
     *     results, a long among them, give their {@linkplain #step(String, Class) class}
     * @return the recorded result
     * @throws PermanentException if the step has failed for good, or its result cannot be recorded
     * @throws TemporaryException if the result could not be recorded yet, as the server does not answer; if what
     *     another version of the operator has recorded does not fit the class of the result
     * @throws Exception of the call
     */
    <T extends @Nullable Object> T run(String name, Call<T> call) throws Exception;

    /**
     * Makes a step without a result, unless it is recorded.
     *
     * @throws Exception as {@link #run(String, Call)}
     */
    void run(String name, Action action) throws Exception;

    /**
     * Makes a step that is made for each of several things, unless it is recorded for this one.
     *
     * @param key which of them: any text
     * @throws Exception as {@link #run(String, Call)}
     */
    <T extends @Nullable Object> T run(String name, String key, Call<T> call) throws Exception;

    /**
     * The same without a result.
     *
     * @throws Exception as {@link #run(String, Call)}
     */
    void run(String name, String key, Action action) throws Exception;

    /** A step with options, whose result is as that of {@link #run(String, Call)}. */
    Step<Object> step(String name);

    /**
     * A step with options, and with a result of a class: a record, a bean, an enum, or whatever else JSON can be bound
     * to.
     */
    default <T> Step<T> step(String name, Class<T> type) {
        return step(name, TypeRef.of(type));
    }

    /** The same for types with arguments. */
    <T> Step<T> step(String name, TypeRef<T> type);

    /**
     * Makes steps side by side, each in a thread of its own, as far as they are not recorded. Those that end at about
     * the same time are recorded by one PATCH. Returns when all have ended; {@link Step#result} has their results.
     *
     * @param steps with their {@linkplain Step#call calls}
     * @throws Exception of the first step in this order that has failed, when all have ended; those of others are
     *     suppressed in it
     */
    void all(Step<?>... steps) throws Exception;

    /**
     * A key for external systems that make no second thing for the same one: the same in all attempts, whatever crashes
     * in between; another one for each object, each handled change, and each step. Within the call of a step, and the
     * search for what that has made, it is the step's; elsewhere the handler's. A UUID.
     *
     * @throws IllegalStateException in another thread, while a step is called: ask before the work is handed on
     */
    String idempotencyKey();

    /**
     * Takes back what {@linkplain Step#undoable undoable} steps of this object's handlers have made, as far as it is
     * recorded, the last one first. What is taken back is forgotten at once, by one PATCH each, and not taken back
     * again.
     *
     * <p>In deletion handlers each of those that are recorded must be declared: otherwise nothing is taken back, the
     * handler fails, and the object stays. In other handlers only those that are declared are taken back.
     *
     * @param declarations say how
     * @throws StepInDoubtException if nobody knows whether a step has made something, and nothing finds it
     * @throws TemporaryException if a recorded step is not declared, or its result does not fit the class
     * @throws Exception of a reversal, which is called again with the handler's retry
     */
    void undo(Consumer<? super Undo> declarations) throws Exception;

    /**
     * What a step does.
     *
     * @param <T> the type of its result
     */
    @FunctionalInterface
    interface Call<T extends @Nullable Object> {
        /**
         * Does it.
         *
         * @return what is to be recorded; null for nothing
         * @throws Exception if it has failed
         */
        T call() throws Exception;
    }

    /** What a step without a result does. */
    @FunctionalInterface
    interface Action {
        /**
         * Does it.
         *
         * @throws Exception if it has failed
         */
        void run() throws Exception;
    }

    /**
     * One step, with options; the call comes last. Limits are those of handlers, and are kept over all attempts of the
     * handler; without any, what the call throws is thrown as it is. Made by the framework; not to be implemented.
     *
     * @param <T> the type of its result
     */
    interface Step<T extends @Nullable Object> extends RetryOptions<Step<T>> {
        /** Which of several things the step is made for: any text. */
        Step<T> key(String key);

        /**
         * Has an intent recorded before the call, by a PATCH of its own, for calls that must not be repeated. An
         * attempt that finds an intent and no result does not call again: the handler stops with
         * {@link StepInDoubtException} until somebody has looked, and asks for a retry. The same holds after any
         * exception of the call but {@link TemporaryException}, which says that nothing was made.
         */
        Step<T> intent();

        /**
         * Has an intent recorded before the call, and what the call has made looked for where there is an intent
         * without a result: what is found is recorded as the result; if nothing is found, the call is made again. What
         * an earlier run of the handler has made must not be found: the step's {@linkplain Steps#idempotencyKey key}
         * tells them apart, and is the same in the search as in the call.
         *
         * @param search returns the result of the call that was interrupted; empty if it has made nothing
         */
        Step<T> recover(Call<Optional<T>> search);

        /**
         * Keeps the result on the object, when the handling of the change has ended, too, until {@link #undo} takes the
         * step back. It needs an annotation of its own, of up to 1.2 KiB.
         */
        Step<T> undoable();

        /** What the step does; for {@link Steps#all}. */
        Step<T> call(Call<? extends T> call);

        /** The same for what has no result. */
        Step<T> call(Action action);

        /**
         * Makes the step, unless it is recorded.
         *
         * @return the recorded result
         * @throws Exception as {@link Steps#run(String, Call)}
         */
        T run(Call<? extends T> call) throws Exception;

        /**
         * The same for what has no result.
         *
         * @throws Exception as {@link Steps#run(String, Call)}
         */
        void run(Action action) throws Exception;

        /**
         * The recorded result.
         *
         * @throws IllegalStateException if the step was not made by now
         */
        T result();
    }

    /**
     * Says how steps are taken back. Names are those of steps, with the handler's id where several handlers have a step
     * of that name: {@code "createFn/create-db"}. Made by the framework; not to be implemented.
     */
    interface Undo {
        /**
         * How a step is taken back, for each of its keys.
         *
         * @param type of its result; {@code Void.class} if it has none
         * @param reversal may be called more than once, and when what it takes back is gone already
         */
        <T> Undo step(String name, Class<T> type, Reversal<T> reversal);

        /** The same for steps with keys. */
        <T> Undo step(String name, Class<T> type, KeyedReversal<T> reversal);

        /**
         * How to find what a call of a step has made that was interrupted. Within the search,
         * {@link Steps#idempotencyKey} is that of the call.
         *
         * @param search gets the key, which is empty for steps without one; returns the result, or empty if nothing was
         *     made
         */
        <T> Undo recover(String name, Class<T> type, Search<T> search);
    }

    /**
     * Takes a step back.
     *
     * @param <T> the type of the step's result
     */
    @FunctionalInterface
    interface Reversal<T> {
        /**
         * Takes it back.
         *
         * @param result what the step has returned; null for nothing
         * @throws Exception if it has failed
         */
        void undo(T result) throws Exception;
    }

    /**
     * Takes a step back that is made for each of several things.
     *
     * @param <T> the type of the step's result
     */
    @FunctionalInterface
    interface KeyedReversal<T> {
        /**
         * Takes it back.
         *
         * @param result what the step has returned; null for nothing
         * @param key which of the things; empty for steps without a key
         * @throws Exception if it has failed
         */
        void undo(T result, String key) throws Exception;
    }

    /**
     * Finds what an interrupted call has made.
     *
     * @param <T> the type of the step's result
     */
    @FunctionalInterface
    interface Search<T> {
        /**
         * Looks for it.
         *
         * @param key which of the things; empty for steps without a key
         * @return the result that the call would have had; empty if it has made nothing
         * @throws Exception if nobody can tell
         */
        Optional<T> find(String key) throws Exception;
    }
}
