package dev.kopf4j.engine.children;

import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/**
 * What the handling of children needs for all objects. Thread-safe.
 *
 * @param index the children that exist
 * @param api writes children, with one attempt for each request: the parent's cycle must not wait for more
 * @param calls calls handlers; their records are not stored, so that the clock is one that is never set
 * @param fieldManager who applies children
 * @param backoff how long to wait before a child is written again that was refused
 * @param quickBackoffs how long to wait before a child is written again while the server, or the way to it, is in
 *     trouble: after the first failure, the second one, and so on; then {@code backoff}
 */
public record ChildrenEnvironment(
        ChildIndex index,
        ChildrenApi api,
        HandlerCalls calls,
        String fieldManager,
        Duration backoff,
        Iterable<Duration> quickBackoffs) {
    Platform platform() {
        return calls.platform();
    }

    HandlerRunner runner() {
        return calls.runner();
    }

    ContextFactory contexts() {
        return calls.contexts();
    }

    /** Where conflicts and refusals are posted. */
    EventSink events() {
        return calls.objects().events();
    }
}
