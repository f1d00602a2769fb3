package dev.kopf4j.engine.children;

import dev.kopf4j.engine.children.live.ChildIndex;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.hierarchy.EventSink;
import java.time.Duration;

/**
 * What the handling of children needs for all objects. Thread-safe.
 *
 * @param index the children that exist
 * @param api writes children
 * @param runner calls handlers
 * @param contexts makes their contexts
 * @param events where conflicts and refusals are posted
 * @param fieldManager who applies children
 * @param backoff how long to wait before a child is written again that could not be
 */
public record ChildrenEnvironment(
        ChildIndex index,
        ChildrenApi api,
        HandlerRunner runner,
        ContextFactory contexts,
        EventSink events,
        String fieldManager,
        Duration backoff) {}
