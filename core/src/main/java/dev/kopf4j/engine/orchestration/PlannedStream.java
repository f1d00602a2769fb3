package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream that an operator would run. Immutable.
 *
 * @param resource what it follows
 * @param namespace where; null for the whole cluster
 * @param handlers who needs it
 * @param ofChildren who needs it for children
 * @param narrowing what the server does not send
 */
public record PlannedStream(
        Resource resource,
        @Nullable String namespace,
        List<RegisteredHandler> handlers,
        List<RegisteredHandler> ofChildren,
        Narrowing narrowing) {
    /** Copies the lists. */
    public PlannedStream {
        handlers = List.copyOf(handlers);
        ofChildren = List.copyOf(ofChildren);
    }

    /** The stream as people know it. */
    public String title() {
        return title(resource, namespace);
    }

    /** A stream as people know it. */
    public static String title(Resource resource, @Nullable String namespace) {
        return new StreamKey(resource, namespace).title();
    }
}
