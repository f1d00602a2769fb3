package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.children.live.ChildWatch;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which resources are watched as children of others, and what of them. Immutable.
 *
 * @param fieldManager who applies desired children
 */
record ChildNeeds(HandlerRegistry registry, String fieldManager) {
    /** Why the objects of a resource are watched as children; null if they are not. */
    @Nullable ChildWatch watch(Resource resource) {
        List<RegisteredHandler> handlers = registry.ofChildren(resource);
        return handlers.isEmpty()
                ? null
                : new ChildWatch(
                        resource, handlers, fieldManager, registry.of(resource).isEmpty());
    }

    /** What the server need not send of a resource: handlers of the objects themselves need all of it. */
    Narrowing narrowing(Resource resource) {
        ChildWatch watch = watch(resource);
        return watch == null ? Narrowing.NONE : watch.narrowing();
    }
}
