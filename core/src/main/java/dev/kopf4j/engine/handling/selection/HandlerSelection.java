package dev.kopf4j.engine.handling.selection;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
                || (cause.initial() && (!deleting || handler.declaration().deleted()));
    }

    /** One function that is selected twice under the same id is called once; the first one stays. */
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
        Set<Object> seen = new HashSet<>();
        return selected.stream()
                .filter(handler -> seen.add(List.of(handler.function(), handler.id())))
                .toList();
    }
}
