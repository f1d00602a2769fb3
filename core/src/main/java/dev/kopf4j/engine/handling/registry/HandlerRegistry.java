package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.List;
import java.util.function.Predicate;

/**
 * All handlers of an operator, in the order of their registration. Immutable.
 *
 * @param handlers the handlers of objects
 * @param activities the handlers of the operator's activities
 */
public record HandlerRegistry(List<RegisteredHandler> handlers, List<RegisteredActivity> activities) {
    /** Copies the lists. */
    public HandlerRegistry {
        handlers = List.copyOf(handlers);
        activities = List.copyOf(activities);
    }

    /** Without any activities. */
    public HandlerRegistry(List<RegisteredHandler> handlers) {
        this(handlers, List.of());
    }

    /** The selectors of all handlers. */
    public List<ResourceSelector> selectors() {
        return handlers.stream()
                .map(handler -> handler.declaration().selector())
                .distinct()
                .toList();
    }

    /** The handlers of one resource. */
    public ResourceHandlers of(Resource resource) {
        Predicate<RegisteredHandler> selected =
                handler -> handler.declaration().selector().matches(resource);
        return ResourceHandlers.of(handlers.stream().filter(selected).toList());
    }
}
