package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import dev.kopf4j.DueHandler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Selects the handlers that are called for a cause, by their filters. One function with one id is selected once. Pure,
 * as far as the callbacks of filters are.
 */
public final class HandlerSelection {
    private HandlerSelection() {}

    /** The handlers to be called for a change. */
    public static List<RegisteredHandler> forChange(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Changing cause,
            ContextFactory contexts) {
        return distinct(
                handlers,
                handler -> isForReason(handler, cause.cause())
                        && HandlerFilters.of(handler, object, cause, contexts).pass());
    }

    /** The sub-handlers to be called: the reason counted when their parent was selected. */
    public static List<RegisteredHandler> ofParent(
            List<RegisteredHandler> children,
            ResourceObject object,
            InvocationCause.Changing cause,
            ContextFactory contexts) {
        return distinct(
                children,
                child -> HandlerFilters.of(child, object, cause, contexts).pass());
    }

    /** The handlers to be called for a raw event. */
    public static List<RegisteredHandler> forEvent(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Watching cause,
            ContextFactory contexts) {
        return distinct(handlers, handler -> concerns(handler, object, cause, contexts));
    }

    /** The admission handlers to be called for a request. */
    public static List<RegisteredHandler> forAdmission(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Admitting cause,
            ContextFactory contexts) {
        return distinct(handlers, handler -> concerns(handler, object, cause, contexts));
    }

    /** The daemons and timers to run beside an object. */
    public static List<RegisteredHandler> forDaemons(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Spawning cause,
            ContextFactory contexts) {
        return distinct(handlers, handler -> concerns(handler, object, cause, contexts));
    }

    /** The handlers that say which children an object ought to have. */
    public static List<RegisteredHandler> forChildren(
            List<RegisteredHandler> handlers,
            ResourceObject object,
            InvocationCause.Reconciling cause,
            ContextFactory contexts) {
        return distinct(handlers, handler -> concerns(handler, object, cause, contexts));
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
                .passExceptChange();
    }

    /**
     * True if the handler could be interested in the object: it passes all filters, those on what has changed aside.
     */
    public static boolean concerns(
            RegisteredHandler handler, ResourceObject object, InvocationCause cause, ContextFactory contexts) {
        return HandlerFilters.of(handler, object, cause, contexts).passExceptChange();
    }

    private static boolean isForReason(RegisteredHandler handler, Cause.Handleable cause) {
        Reason reason = handler.reason();
        if (reason != null && reason != cause.reason()) {
            return false;
        }
        boolean deleting = cause.reason() == Reason.DELETE;
        return !handler.isInitial()
                || (cause.initial() && (!deleting || handler.options().deleted()));
    }

    /**
     * One function that is selected twice under the same id is called once; the first one stays.
     *
     * @throws HandlerDeclarationException if two functions with one id are selected
     */
    private static List<RegisteredHandler> distinct(
            List<RegisteredHandler> handlers, Predicate<RegisteredHandler> condition) {
        List<RegisteredHandler> selected = new ArrayList<>();
        for (RegisteredHandler handler : handlers) {
            if (condition.test(handler)) {
                selected.add(handler);
            }
        }
        if (selected.size() <= 1) {
            return selected;
        }
        Map<String, RegisteredHandler> first = new LinkedHashMap<>();
        for (RegisteredHandler handler : selected) {
            RegisteredHandler other = first.putIfAbsent(handler.id(), handler);
            if (other != null && !other.function().equals(handler.function())) {
                throw new HandlerDeclarationException("two functions with the id '" + handler.id()
                        + "' are both meant for this object: the filters of " + other + " and " + handler
                        + " let it pass. Let their filters exclude each other, or give one of them another id");
            }
        }
        return List.copyOf(first.values());
    }

    /**
     * The filters of one handler, asked about one object: labels and annotations, the value of the field, its change,
     * and conditions. Pure, as far as the callbacks are.
     *
     * @param context for callbacks; made when one is called
     */
    private record HandlerFilters(
            RegisteredHandler handler, ResourceObject object, InvocationCause cause, Supplier<HandlerContext> context) {
        private static final ValueFilter PRESENT = new ValueFilter.Present();

        static HandlerFilters of(
                RegisteredHandler handler, ResourceObject object, InvocationCause cause, ContextFactory contexts) {
            return new HandlerFilters(handler, object, cause, contexts.forFilters(handler, object, cause));
        }

        /** True if all filters let the object pass. */
        boolean pass() {
            return metadataPasses() && fieldPasses() && changePasses() && conditionsPass();
        }

        /** True if all filters but those on the change of the field let the object pass. */
        boolean passExceptChange() {
            return metadataPasses() && fieldPasses() && conditionsPass();
        }

        private boolean metadataPasses() {
            List<MetadataFilter> labels = handler.options().labels();
            List<MetadataFilter> annotations = handler.options().annotations();
            // The content is made only for filters: most handlers have none.
            return (labels.isEmpty() || all(labels, object.body().meta().labels()))
                    && (annotations.isEmpty()
                            || all(annotations, object.body().meta().annotations()));
        }

        private boolean all(List<MetadataFilter> filters, Map<String, String> content) {
            return filters.stream().allMatch(filter -> filter.matches(content, context));
        }

        private boolean conditionsPass() {
            List<Predicate<? super HandlerContext>> conditions =
                    handler.options().when();
            return conditions.isEmpty() || conditions.stream().allMatch(condition -> condition.test(context.get()));
        }

        /** The value passes if either the new or the old one does. */
        private boolean fieldPasses() {
            if (handler.options().field().isEmpty()) {
                return true;
            }
            FieldPath field = handler.field();
            ValueFilter declared = handler.options().value();
            ValueFilter filter = declared == null ? PRESENT : declared;
            return filter.passes(cause.newValue(field), context)
                    || (cause.isOfChange() && filter.passes(cause.oldValue(field), context));
        }

        private boolean changePasses() {
            if (handler.options().field().isEmpty() || !handler.needsChange()) {
                return true;
            }
            JsonNode before = cause.oldValue(handler.field());
            JsonNode after = cause.newValue(handler.field());
            return !JsonEquality.equal(before, after)
                    && passesIfGiven(handler.options().oldValue(), before)
                    && passesIfGiven(handler.options().newValue(), after);
        }

        private boolean passesIfGiven(@Nullable ValueFilter filter, @Nullable JsonNode value) {
            return filter == null || filter.passes(value, context);
        }
    }

    /** Which of the due handlers are called in this cycle. Pure, but for the given randomness and users' lifecycles. */
    public static final class LifecyclePlan {
        private LifecyclePlan() {}

        /**
         * The handlers to be called, in the order of their calls.
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
                    first(due.stream().sorted(Comparator.comparingInt(attempts)).toList());
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
    }
}
