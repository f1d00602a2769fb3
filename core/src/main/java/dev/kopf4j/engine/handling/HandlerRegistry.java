package dev.kopf4j.engine.handling;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.List;
import java.util.function.Predicate;

/**
 * All handlers of an operator, in the order of their registration. Immutable.
 *
 * @param handlers the handlers
 */
public record HandlerRegistry(List<RegisteredHandler> handlers) {
    /** Copies the list. */
    public HandlerRegistry {
        handlers = List.copyOf(handlers);
    }

    /** The selectors of all handlers. */
    public List<ResourceSelector> selectors() {
        return handlers.stream()
                .map(handler -> handler.definition().selector())
                .distinct()
                .toList();
    }

    /** The handlers of one resource. */
    public ResourceHandlers of(Resource resource) {
        Predicate<RegisteredHandler> selected =
                handler -> handler.definition().selector().matches(resource);
        return ResourceHandlers.of(handlers.stream().filter(selected).toList());
    }
}
