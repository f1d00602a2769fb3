package dev.kopf4j.engine.index;

import dev.kopf4j.BindingException;
import dev.kopf4j.Memo;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls the functions that fill the indices of an operator. Nothing is written to the object: {@link ObjectIndexer}
 * remembers failures in memory, and asks for no call before the next attempt is due, unless the operator itself has
 * written the object. Thread-safe.
 */
public record IndexFunctionCalls(HandlerCalls calls, IndexSet indices) {
    private static final IndexOutcome KEPT = new IndexOutcome.Kept();

    /** The same functions, called on behalf of handlers, which wait for them: they take no permits from each other. */
    IndexFunctionCalls withinCalls() {
        return new IndexFunctionCalls(calls.withoutLimit(), indices);
    }

    /** The time and the tasks of the calls. */
    Platform platform() {
        return calls.platform();
    }

    /**
     * Calls the first of the functions whose filters let the object pass.
     *
     * @param functions those of one index, in the order of their registration; at least one
     * @param failures the attempts that have failed so far; null if there are none
     * @throws InterruptedException if the operator stops
     */
    IndexOutcome call(
            List<RegisteredHandler> functions, ResourceObject object, RawEvent event, @Nullable ProgressRecord failures)
            throws InterruptedException {
        ProgressRecord record = failures == null ? calls.freshRecord() : failures;
        InvocationCause.Watching occasion = new InvocationCause.Watching(event);
        List<RegisteredHandler> matching;
        try {
            matching = HandlerSelection.distinct(functions.stream()
                    .filter(each -> HandlerSelection.concerns(each, object, occasion, calls.contexts()))
                    .toList());
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            // Neither the other indices nor the other handlers have to wait for a filter that fails. Whichever it was:
            // the
            // options of the first function say when to try again.
            return outcome(attempt(functions.getFirst(), object, occasion, record), new CallEnd.Threw(e));
        }
        return matching.isEmpty()
                ? new IndexOutcome.Removed(failures)
                : call(attempt(matching.getFirst(), object, occasion, record));
    }

    private HandlerAttempt attempt(
            RegisteredHandler function,
            ResourceObject object,
            InvocationCause.Watching occasion,
            ProgressRecord record) {
        return new HandlerAttempt(calls, function, object, occasion, record, new PatchContent());
    }

    private static IndexOutcome call(HandlerAttempt attempt) throws InterruptedException {
        RetryDecision refusal = attempt.refusal();
        return refusal == null
                ? outcome(attempt, attempt.callUntil(attempt.timeout()))
                : outcome(attempt, refusal, null);
    }

    private static IndexOutcome outcome(HandlerAttempt attempt, CallEnd end) {
        IndexResult result = null;
        if (end instanceof CallEnd.Returned(var value)) {
            try {
                result = IndexResult.of(value);
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                // A map's iteration and a key's hash are user code, which may throw anything.
                return outcome(attempt, attempt.threw(e), null);
            }
        }
        return outcome(attempt, attempt.decide(end), result);
    }

    private static IndexOutcome outcome(HandlerAttempt attempt, RetryDecision decision, @Nullable IndexResult result) {
        if (decision.outcome() instanceof Outcome.Succeeded) {
            return result == null ? KEPT : new IndexOutcome.Replaced(result);
        }
        // No repetition makes an object fit its type, but a change does: the next event begins anew.
        boolean misfit = decision.failure() instanceof BindingException;
        return new IndexOutcome.Removed(misfit ? null : attempt.after(decision));
    }

    /** What a new state of an object means for its values in an index. Immutable. */
    public sealed interface IndexOutcome {
        /**
         * The new values take the place of those that are there.
         *
         * @param result the new values
         */
        record Replaced(IndexResult result) implements IndexOutcome {}

        /**
         * What is there stays: the function has returned nothing, or has failed with an exception that its errors mode
         * ignores, as it does by default.
         */
        record Kept() implements IndexOutcome {}

        /**
         * The object has no values: it does not match, or the function has failed for it, be it at an earlier event.
         *
         * @param failures the attempts so far, to go on with; null if there are none
         */
        record Removed(@Nullable ProgressRecord failures) implements IndexOutcome {}
    }

    /**
     * What an index function has returned, as it goes into the index. Immutable, as far as the values are.
     *
     * @param values the object's values by their keys, at least one or none at all
     */
    public record IndexResult(Map<@Nullable Object, @Nullable Object> values) {
        /**
         * Maps give values by keys, which are frozen; everything else, memos too, is a value under the key null.
         *
         * @return null if nothing is to be changed: the function has returned null, or an empty optional
         * @throws IllegalArgumentException if a key cannot be looked up
         */
        static @Nullable IndexResult of(@Nullable Object returned) {
            return switch (returned) {
                case null -> null;
                case Optional<?> optional -> of(optional.orElse(null));
                case Memo memo -> new IndexResult(Collections.singletonMap(null, memo));
                case Map<?, ?> map -> new IndexResult(keyed(map));
                default -> new IndexResult(Collections.singletonMap(null, returned));
            };
        }

        private static Map<@Nullable Object, @Nullable Object> keyed(Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> values = LinkedHashMap.newLinkedHashMap(map.size());
            map.forEach((key, value) -> values.put(IndexKey.frozen(key), value));
            return Collections.unmodifiableMap(values);
        }

        /**
         * Makes keys of an index safe from later changes: an entry whose key has changed would never be found again.
         * Pure.
         */
        static final class IndexKey {
            private IndexKey() {}

            /**
             * The key itself, or a copy that cannot be changed but is equal to it, for lists, sets, maps and text
             * buffers.
             *
             * @throws IllegalArgumentException if nothing but the very same instance would be equal to it
             */
            static @Nullable Object frozen(@Nullable Object key) {
                Object frozen = switch (key) {
                    case null -> null;
                    case List<?> list -> Collections.unmodifiableList(addAll(list, new ArrayList<>(list.size())));
                    case Set<?> set -> Collections.unmodifiableSet(addAll(set, new LinkedHashSet<>()));
                    case Map<?, ?> map -> frozen(map);
                    case CharSequence text -> text.toString();
                    default -> checked(key);
                };
                if (frozen != null) {
                    // A key whose hash fails must fail here, where it can be told which function has made it.
                    int _ = frozen.hashCode();
                }
                return frozen;
            }

            private static <C extends Collection<@Nullable Object>> C addAll(Collection<?> from, C to) {
                from.forEach(element -> to.add(frozen(element)));
                return to;
            }

            private static Object frozen(Map<?, ?> map) {
                Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
                map.forEach((key, value) -> copy.put(frozen(key), frozen(value)));
                return Collections.unmodifiableMap(copy);
            }

            private static Object checked(Object key) {
                if (key.getClass().isArray() || key instanceof Collection) {
                    throw new IllegalArgumentException(
                            "the key is a " + key.getClass().getTypeName()
                                    + ", which is equal to no other one, so that it could never be looked up; use a list, a record, or text");
                }
                return key;
            }
        }
    }
}
