package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.json.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The handlers of one resource, in the order of their registration. Immutable.
 *
 * @param indices index functions
 * @param events handlers of raw events
 * @param changes handlers of changes, of all reasons
 * @param background daemons and timers
 * @param children handlers that are about the children of the objects
 * @param fields the fields that handlers of changes, event handlers, daemons and timers look at: part of the essence,
 *     wherever they are, since a Python operator stores them in it, too
 * @param backgroundFields those of daemons and timers alone
 */
public record ResourceHandlers(
        List<RegisteredHandler> indices,
        List<RegisteredHandler> events,
        List<RegisteredHandler> changes,
        List<RegisteredHandler> background,
        List<RegisteredHandler> children,
        Set<FieldPath> fields,
        Set<FieldPath> backgroundFields) {
    static ResourceHandlers of(List<RegisteredHandler> handlers) {
        List<RegisteredHandler> indices = only(handlers, handler -> handler.kind() == HandlerKind.INDEX);
        List<RegisteredHandler> events = only(handlers, handler -> handler.kind() == HandlerKind.EVENT);
        List<RegisteredHandler> background =
                only(handlers, handler -> handler.kind().isBackground());
        List<RegisteredHandler> changes =
                only(handlers, handler -> handler.kind().isOfChange());
        List<RegisteredHandler> children =
                only(handlers, handler -> handler.kind().isOfChildren());
        Set<FieldPath> essential = fields(only(
                handlers,
                handler ->
                        handler.kind() != HandlerKind.INDEX && !handler.kind().isOfChildren()));
        return new ResourceHandlers(indices, events, changes, background, children, essential, fields(background));
    }

    private static List<RegisteredHandler> only(
            List<RegisteredHandler> handlers, Predicate<RegisteredHandler> condition) {
        return handlers.stream().filter(condition).toList();
    }

    private static Set<FieldPath> fields(List<RegisteredHandler> handlers) {
        return handlers.stream()
                .map(RegisteredHandler::field)
                .filter(field -> !field.keys().isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** True if there are none. */
    public boolean isEmpty() {
        return onlyChanges() && changes.isEmpty();
    }

    /**
     * True if there are handlers that must not see old states. For an object without such handlers, nothing is stored
     * on it, and its finalizer is left alone.
     */
    public boolean handlesStates() {
        return !changes.isEmpty() || !background.isEmpty() || !children.isEmpty();
    }

    /**
     * True if the operator writes into the objects, and so has the right to: it acknowledges there what it is asked.
     */
    public boolean writesObjects() {
        return handlesStates() || events.stream().anyMatch(RegisteredHandler::writes);
    }

    /**
     * True if there are only handlers of changes. Then a state that brings nothing for them need not be looked at; all
     * other handlers want to see each state, or the newest one.
     */
    public boolean onlyChanges() {
        return events.isEmpty() && indices.isEmpty() && background.isEmpty() && children.isEmpty();
    }
}
