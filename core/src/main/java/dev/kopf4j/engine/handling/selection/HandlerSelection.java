package dev.kopf4j.engine.handling.selection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetadataFilter;
import dev.kopf4j.Reason;
import dev.kopf4j.ValueFilter;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Chooses the handlers for an occasion by their filters. Pure, as far as the callbacks of filters are. */
public final class HandlerSelection {
    private HandlerSelection() {}

    /** The handlers to be called for a change; one function with one id comes once. */
    public static List<RegisteredHandler> forChange(
            List<RegisteredHandler> handlers,
            ResourceObject resourceObject,
            InvocationCause.Changing occasion,
            ContextFactory contexts) {
        List<RegisteredHandler> selected = new ArrayList<>();
        for (RegisteredHandler handler : handlers) {
            if (concerns(handler, occasion.cause())
                    && matches(
                            handler,
                            resourceObject,
                            occasion,
                            contexts.forFilters(handler, resourceObject, occasion))) {
                selected.add(handler);
            }
        }
        return distinct(selected);
    }

    /** The sub-handlers to be called: whether the occasion is theirs was decided when their parent was selected. */
    public static List<RegisteredHandler> ofParent(
            List<RegisteredHandler> children,
            ResourceObject resourceObject,
            InvocationCause.Changing occasion,
            ContextFactory contexts) {
        return distinct(children.stream()
                .filter(child ->
                        matches(child, resourceObject, occasion, contexts.forFilters(child, resourceObject, occasion)))
                .toList());
    }

    /** The handlers to be called for a raw event. */
    public static List<RegisteredHandler> forEvent(
            List<RegisteredHandler> handlers,
            ResourceObject resourceObject,
            InvocationCause.Watching occasion,
            ContextFactory contexts) {
        return distinct(handlers.stream()
                .filter(handler -> prematches(
                        handler, resourceObject, occasion, contexts.forFilters(handler, resourceObject, occasion)))
                .toList());
    }

    /** The daemons and timers to run beside an object. */
    public static List<RegisteredHandler> forBackground(
            List<RegisteredHandler> handlers,
            ResourceObject resourceObject,
            InvocationCause.Spawning occasion,
            ContextFactory contexts) {
        return distinct(handlers.stream()
                .filter(handler -> prematches(
                        handler, resourceObject, occasion, contexts.forFilters(handler, resourceObject, occasion)))
                .toList());
    }

    /** One function that is selected twice under the same id is called once; the first one stays. */
    static List<RegisteredHandler> distinct(List<RegisteredHandler> handlers) {
        if (handlers.size() <= 1) {
            return handlers;
        }
        Set<Object> seen = new HashSet<>();
        return handlers.stream()
                .filter(handler -> seen.add(List.of(handler.function(), handler.id())))
                .toList();
    }

    private static boolean concerns(RegisteredHandler handler, Cause.Handleable cause) {
        Reason reason = handler.reason();
        if (reason != null && reason != cause.reason()) {
            return false;
        }
        boolean deleting = cause.reason() == Reason.DELETE;
        return !handler.isInitial()
                || (cause.initial() && (!deleting || handler.definition().deleted()));
    }

    /** True if all filters let the object pass. */
    static boolean matches(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            Supplier<HandlerContext> context) {
        return metadataMatches(handler, resourceObject)
                && fieldMatches(handler, invocationCause, context)
                && changeMatches(handler, invocationCause, context)
                && whenMatches(handler, context);
    }

    /** True if all filters but the one on the change let the object pass: it could be the handler's business. */
    public static boolean prematches(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            Supplier<HandlerContext> context) {
        return metadataMatches(handler, resourceObject)
                && fieldMatches(handler, invocationCause, context)
                && whenMatches(handler, context);
    }

    private static boolean metadataMatches(RegisteredHandler handler, ResourceObject resourceObject) {
        List<MetadataFilter> labels = handler.definition().labels();
        List<MetadataFilter> annotations = handler.definition().annotations();
        // The content is made only for filters: most handlers have none.
        return (labels.isEmpty() || all(labels, resourceObject.body().meta().labels()))
                && (annotations.isEmpty()
                        || all(annotations, resourceObject.body().meta().annotations()));
    }

    private static boolean all(List<MetadataFilter> filters, Map<String, String> content) {
        return filters.stream().allMatch(filter -> filter.matches(content));
    }

    private static boolean whenMatches(RegisteredHandler handler, Supplier<HandlerContext> context) {
        List<Predicate<HandlerContext>> tests = handler.definition().when();
        return tests.isEmpty() || tests.stream().allMatch(test -> test.test(context.get()));
    }

    private static boolean fieldMatches(
            RegisteredHandler handler, InvocationCause invocationCause, Supplier<HandlerContext> context) {
        if (handler.definition().field().isEmpty()) {
            return true;
        }
        FieldPath field = handler.field();
        List<@Nullable JsonNode> values = new ArrayList<>();
        values.add(invocationCause.newValue(field));
        if (invocationCause.isOfChange()) {
            values.add(invocationCause.oldValue(field));
        }
        ValueFilter filter = handler.definition().value();
        ValueFilter wanted = filter == null ? ValueFilter.present() : filter;
        return values.stream().anyMatch(value -> passes(wanted, value, context));
    }

    private static boolean changeMatches(
            RegisteredHandler handler, InvocationCause invocationCause, Supplier<HandlerContext> context) {
        if (handler.definition().field().isEmpty() || !handler.needsChange()) {
            return true;
        }
        JsonNode before = invocationCause.oldValue(handler.field());
        JsonNode after = invocationCause.newValue(handler.field());
        return !JsonEquality.equal(before, after)
                && passesIfGiven(handler.definition().oldValue(), before, context)
                && passesIfGiven(handler.definition().newValue(), after, context);
    }

    private static boolean passesIfGiven(
            @Nullable ValueFilter filter, @Nullable JsonNode value, Supplier<HandlerContext> context) {
        return filter == null || passes(filter, value, context);
    }

    private static boolean passes(ValueFilter filter, @Nullable JsonNode value, Supplier<HandlerContext> context) {
        return switch (filter) {
            case ValueFilter.Present() -> value != null;
            case ValueFilter.Absent() -> value == null;
            case ValueFilter.Literal(Object literal) -> JsonEquality.equal(Json.fromJava(literal), value);
            case ValueFilter.Callback(ValueFilter.ValueTest test) -> test.test(Json.toJava(value), context.get());
        };
    }
}
