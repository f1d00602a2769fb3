package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import dev.kopf4j.DueHandler;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Selects the handlers that are called for a cause, by their filters, and of those that are due the ones of a cycle, by
 * the lifecycle. One function with one id is selected once. Pure, as far as the callbacks of filters and users'
 * lifecycles are.
 */
public final class HandlerSelection {
    private HandlerSelection() {}

    /**
     * The handlers to be called for a change. The call of one whose filter fails is that {@linkplain #failing failure}.
     */
    public static List<RegisteredHandler> forChange(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Changing cause,
            ContextFactory contexts) {
        return distinct(declarationsForChange(handlers, object, cause, contexts));
    }

    /** The same, with each declaration of a function that has several ones: {@link #distinct} leaves one of them. */
    public static List<RegisteredHandler> declarationsForChange(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Changing cause,
            ContextFactory contexts) {
        return passing(
                handlers,
                handler -> isForReason(handler, cause.cause())
                        && HandlerFilters.of(handler, object, cause, contexts).mismatch() == null,
                (handler, failure) -> isHeldUp(cause.cause(), handler) ? failing(handler, failure) : null);
    }

    /** A deletion waits for the filters of deletion handlers alone. */
    private static boolean isHeldUp(Cause.Handleable cause, RegisteredHandler handler) {
        return cause.reason() != Reason.DELETE || handler.reason() == Reason.DELETE;
    }

    /**
     * The sub-handlers to be called: the reason counted when their parent was selected. Their ids are made of data, in
     * which something may stand twice: the first one stays.
     *
     * @param repeated hears the ids of those that are left out
     */
    public static List<RegisteredHandler> ofParent(
            List<RegisteredHandler> children,
            ResourceObject object,
            InvocationCause.Changing cause,
            ContextFactory contexts,
            Consumer<String> repeated) {
        Map<String, RegisteredHandler> first = new LinkedHashMap<>();
        for (RegisteredHandler child : children) {
            if (HandlerFilters.of(child, object, cause, contexts).mismatch() == null
                    && first.putIfAbsent(child.id(), child) != null) {
                repeated.accept(child.id());
            }
        }
        return List.copyOf(first.values());
    }

    /**
     * The handlers whose filters let the object pass, where nothing is known of a change.
     *
     * @param failed says what becomes of a handler whose filter fails
     */
    public static List<RegisteredHandler> concerned(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.WithoutChange cause,
            ContextFactory contexts,
            FilterFailure failed) {
        return distinct(passing(handlers, handler -> concerns(handler, object, cause, contexts), failed));
    }

    /** The filter of a handler has failed. */
    @FunctionalInterface
    public interface FilterFailure {
        /** Who is selected in its place; null for nobody. */
        @Nullable RegisteredHandler instead(RegisteredHandler handler, Throwable failure);
    }

    /** The same handler, whose call fails as its filter has: that is an attempt of its own, and no matter of others. */
    public static RegisteredHandler failing(RegisteredHandler handler, Throwable failure) {
        return new RegisteredHandler(
                handler.declaration(),
                handler.id(),
                handler.function(),
                new FailedFilter(failure),
                handler.subHandlerMethods());
    }

    private record FailedFilter(Throwable failure) implements Handler {
        @Override
        public Object handle(HandlerContext context) throws Exception {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    /**
     * True if a child passes the filters of a handler of its parent; conditions may ask about both.
     *
     * @param child the child, in place of the object whose labels, annotations and fields are meant
     */
    public static boolean concernsChild(
            RegisteredHandler handler,
            ResourceObject child,
            ResourceObject parent,
            InvocationCause.OfChild cause,
            ContextFactory contexts) {
        return new HandlerFilters(handler, child, cause, contexts.forFilters(handler, parent, cause))
                        .mismatchExceptChange()
                == null;
    }

    /**
     * True if the handler could be interested in the object: it passes all filters, those on what has changed aside.
     */
    public static boolean concerns(
            RegisteredHandler handler, ResourceObject object, InvocationCause cause, ContextFactory contexts) {
        return HandlerFilters.of(handler, object, cause, contexts).mismatchExceptChange() == null;
    }

    /**
     * The filter that keeps the object from the handler, as far as that can be told without the user's code: conditions
     * and tests in code count as if they let it pass. {@link #testsInCode} tells whether there are any.
     *
     * @param changes true if the filters on what has changed count, as they do when a change is handled
     * @return null if there is none
     */
    public static @Nullable FilterMismatch mismatch(
            RegisteredHandler handler, ResourceObject object, InvocationCause cause, boolean changes) {
        HandlerFilters filters = new HandlerFilters(handler, object, cause, null);
        return changes ? filters.mismatch() : filters.mismatchExceptChange();
    }

    /** True if it takes the user's code to tell whether the handler is called for an object. */
    public static boolean testsInCode(RegisteredHandler handler) {
        DeclaredOptions declared = handler.options();
        return !declared.when().isEmpty()
                || Stream.concat(declared.labels().stream(), declared.annotations().stream())
                        .anyMatch(MetadataFilter.Callback.class::isInstance)
                || Stream.of(declared.value(), declared.oldValue(), declared.newValue())
                        .anyMatch(ValueFilter.Callback.class::isInstance);
    }

    /** True if the handler is called for what happened, if its filters let the object pass. */
    public static boolean isForReason(RegisteredHandler handler, Cause.Handleable cause) {
        Reason reason = handler.reason();
        if (reason != null && reason != cause.reason()) {
            return false;
        }
        boolean deleting = cause.reason() == Reason.DELETE;
        return !handler.isInitial()
                || (cause.initial() && (!deleting || handler.options().deleted()));
    }

    private static HandlerContext noContext() {
        throw new IllegalStateException("a filter asks for a context, but is no test in code");
    }

    /**
     * Those for which the condition holds, in their order.
     *
     * @param failed says what becomes of a handler whose condition fails
     */
    private static List<RegisteredHandler> passing(
            List<RegisteredHandler> handlers, Predicate<RegisteredHandler> condition, FilterFailure failed) {
        List<RegisteredHandler> passing = new ArrayList<>();
        for (RegisteredHandler handler : handlers) {
            try {
                if (condition.test(handler)) {
                    passing.add(handler);
                }
            } catch (LeadershipLostException e) {
                throw e;
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                RegisteredHandler instead = failed.instead(handler, e);
                if (instead != null) {
                    passing.add(instead);
                }
            }
        }
        return passing;
    }

    /**
     * One function that is selected twice under the same id is called once; the first one stays.
     *
     * @throws HandlerDeclarationException if two functions with one id are selected
     */
    public static List<RegisteredHandler> distinct(List<RegisteredHandler> selected) {
        if (selected.size() <= 1) {
            return selected;
        }
        Map<String, RegisteredHandler> first = new LinkedHashMap<>();
        for (RegisteredHandler handler : selected) {
            RegisteredHandler other = first.putIfAbsent(handler.id(), handler);
            if (other != null && other.invoker() instanceof FailedFilter) {
                // Whoever is meant is called, be it by another declaration.
                first.put(handler.id(), handler);
            }
            boolean bothPass = !(handler.invoker() instanceof FailedFilter)
                    && other != null
                    && !(other.invoker() instanceof FailedFilter);
            String conflict = bothPass ? conflict(other, handler) : null;
            if (conflict != null) {
                throw new HandlerDeclarationException(conflict);
            }
        }
        return List.copyOf(first.values());
    }

    /** Why an object that both let pass is not handled; null if it is, as they are one function or have two ids. */
    public static @Nullable String conflict(RegisteredHandler one, RegisteredHandler other) {
        return one.function().equals(other.function()) || !one.id().equals(other.id())
                ? null
                : "two functions with the id '" + other.id() + "' are both meant for this object: the filters of " + one
                        + " and " + other
                        + " let it pass. Let their filters exclude each other, or give one of them another id";
    }

    /**
     * Which of the due handlers are called in this cycle, in the order of their calls. Pure, but for the given
     * randomness.
     *
     * @param attempts how often each of them was called before
     * @param body the object
     * @throws IllegalStateException if a user's lifecycle has answered what cannot be called
     */
    public static List<RegisteredHandler> plan(
            HandlerLifecycle lifecycle,
            List<RegisteredHandler> due,
            ToIntFunction<RegisteredHandler> attempts,
            RandomGenerator random,
            Body body) {
        return switch (lifecycle) {
            case HandlerLifecycle.BuiltIn.IN_ORDER, HandlerLifecycle.BuiltIn.ALL_AT_ONCE -> due;
            case HandlerLifecycle.BuiltIn.ONE_BY_ONE -> first(due);
            case HandlerLifecycle.BuiltIn.RANDOMIZED -> first(shuffled(due, random));
            case HandlerLifecycle.BuiltIn.SHUFFLED -> shuffled(due, random);
            case HandlerLifecycle.BuiltIn.ASAP ->
                due.isEmpty() ? due : List.of(Collections.min(due, Comparator.comparingInt(attempts)));
            case HandlerLifecycle.Custom custom -> due.isEmpty() ? due : custom(custom, due, attempts, body);
        };
    }

    private static List<RegisteredHandler> first(List<RegisteredHandler> handlers) {
        return handlers.subList(0, Math.min(1, handlers.size()));
    }

    private static List<RegisteredHandler> shuffled(List<RegisteredHandler> handlers, RandomGenerator random) {
        List<RegisteredHandler> shuffled = new ArrayList<>(handlers);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static List<RegisteredHandler> custom(
            HandlerLifecycle.Custom lifecycle,
            List<RegisteredHandler> due,
            ToIntFunction<RegisteredHandler> attempts,
            Body body) {
        Map<DueHandler, RegisteredHandler> known = new LinkedHashMap<>();
        due.forEach(handler -> known.put(new DueHandler(handler.id(), attempts.applyAsInt(handler)), handler));
        List<DueHandler> chosen = lifecycle.plan(List.copyOf(known.keySet()), body);
        List<DueHandler> distinct = chosen.stream().distinct().toList();
        if (distinct.isEmpty() || !known.keySet().containsAll(distinct)) {
            throw new IllegalStateException(
                    "the lifecycle " + lifecycle.getClass().getName() + " has planned " + chosen
                            + "; it must plan one or more of the due handlers " + known.keySet());
        }
        return distinct.stream().map(known::get).toList();
    }

    /**
     * The filters of one handler, asked about one object: labels and annotations, the value of the field, its change,
     * and conditions. Pure, as far as the callbacks are.
     *
     * @param context for callbacks; made when one is called. Null to call none of them: they count as passed
     */
    private record HandlerFilters(
            RegisteredHandler handler,
            ResourceObject object,
            InvocationCause cause,
            @Nullable Supplier<HandlerContext> context) {
        private static final ValueFilter PRESENT = new ValueFilter.Present();

        static HandlerFilters of(
                RegisteredHandler handler, ResourceObject object, InvocationCause cause, ContextFactory contexts) {
            return new HandlerFilters(handler, object, cause, contexts.forFilters(handler, object, cause));
        }

        /** The first filter that does not let the object pass; null if all do. */
        @Nullable FilterMismatch mismatch() {
            FilterMismatch found = metadataMismatch();
            found = found == null ? fieldMismatch() : found;
            found = found == null ? changeMismatch() : found;
            return found == null ? conditionMismatch() : found;
        }

        /** The same without the filters on the change of the field. */
        @Nullable FilterMismatch mismatchExceptChange() {
            FilterMismatch found = metadataMismatch();
            found = found == null ? fieldMismatch() : found;
            return found == null ? conditionMismatch() : found;
        }

        private @Nullable FilterMismatch metadataMismatch() {
            List<MetadataFilter> labels = handler.options().labels();
            List<MetadataFilter> annotations = handler.options().annotations();
            // The content is made only for filters: most handlers have none.
            FilterMismatch found = labels.isEmpty()
                    ? null
                    : mismatch("label", labels, object.body().meta().labels());
            return found != null || annotations.isEmpty()
                    ? found
                    : mismatch("annotation", annotations, object.body().meta().annotations());
        }

        private @Nullable FilterMismatch mismatch(
                String what, List<MetadataFilter> filters, Map<String, String> content) {
            for (MetadataFilter filter : filters) {
                boolean untold = context == null && filter instanceof MetadataFilter.Callback;
                if (!untold && !filter.matches(content, contextOfTests())) {
                    return new FilterMismatch.OfMetadata(what, filter, content.get(filter.key()));
                }
            }
            return null;
        }

        private @Nullable FilterMismatch conditionMismatch() {
            List<Predicate<? super HandlerContext>> conditions =
                    handler.options().when();
            boolean untold = context == null || conditions.isEmpty();
            return untold
                            || conditions.stream()
                                    .allMatch(condition ->
                                            condition.test(contextOfTests().get()))
                    ? null
                    : new FilterMismatch.OfCondition();
        }

        /** The value passes if either the new or the old one does. */
        private @Nullable FilterMismatch fieldMismatch() {
            if (handler.options().field().isEmpty()) {
                return null;
            }
            FieldPath field = handler.field();
            ValueFilter declared = handler.options().value();
            ValueFilter filter = declared == null ? PRESENT : declared;
            boolean passes = passes(filter, cause.newNode(field))
                    || (cause.isOfChange() && passes(filter, cause.oldNode(field)));
            return passes ? null : new FilterMismatch.OfValue(field, filter, cause.newNode(field));
        }

        private @Nullable FilterMismatch changeMismatch() {
            if (handler.options().field().isEmpty() || !handler.needsChange()) {
                return null;
            }
            FieldPath field = handler.field();
            JsonNode before = cause.oldNode(field);
            JsonNode after = cause.newNode(field);
            if ((before == null) == (after == null) && JsonEquality.equal(before, after)) {
                return new FilterMismatch.Unchanged(field, after);
            }
            FilterMismatch found =
                    mismatch("the value before", field, handler.options().oldValue(), before);
            return found == null
                    ? mismatch("the new value", field, handler.options().newValue(), after)
                    : found;
        }

        private @Nullable FilterMismatch mismatch(
                String which, FieldPath field, @Nullable ValueFilter filter, @Nullable JsonNode value) {
            return filter == null || passes(filter, value)
                    ? null
                    : new FilterMismatch.OfChange(which, field, filter, value);
        }

        private boolean passes(ValueFilter filter, @Nullable JsonNode value) {
            boolean untold = context == null && filter instanceof ValueFilter.Callback;
            return untold || filter.passes(value, contextOfTests());
        }

        private Supplier<HandlerContext> contextOfTests() {
            return context == null ? HandlerSelection::noContext : context;
        }
    }
}
