package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream that an operator would run. Immutable.
 *
 * @param resource what it follows
 * @param namespace where; null for the whole cluster
 * @param handlers who needs it
 */
public record PlannedStream(Resource resource, @Nullable String namespace, List<RegisteredHandler> handlers) {
    /** Copies the list. */
    public PlannedStream {
        handlers = List.copyOf(handlers);
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
