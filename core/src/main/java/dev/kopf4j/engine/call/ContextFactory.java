package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the contexts of calls. Thread-safe.
 *
 * @param platform their time
 * @param stored what objects have stored of their handlers
 */
public record ContextFactory(
        Platform platform,
        ServiceProvider serviceProvider,
        IndexLookup indexLookup,
        ChildrenLookup childrenLookup,
        HandlerOutcomes stored) {

    /** The children of an object that exist. */
    public List<Body> childrenOf(ResourceObject parent) {
        return childrenLookup.of(parent);
    }

    /** The same, but what is known of the handlers comes from there, and else from what the object has stored. */
    public ContextFactory with(HandlerOutcomes known) {
        return new ContextFactory(platform, serviceProvider, indexLookup, childrenLookup, (handlerId, body) -> {
            ProgressRecord record = known.record(handlerId, body);
            return record == null ? stored.record(handlerId, body) : record;
        });
    }

    /**
     * The context of one call.
     *
     * @param record how far the handler has come
     * @param patch takes what the call wants to be changed
     */
    public HandlerContext forCall(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            ProgressRecord record,
            PatchContent patch,
            SubHandlers subHandlers) {
        Instant started = record.started();
        Instant now = platform.now();
        CallTiming timing = new CallTiming(record.retries(), started == null ? now : started, now, platform::now);
        return new HandlerCallContext(handler, resourceObject, invocationCause, timing, patch, subHandlers, this);
    }

    /** For filters, which are asked before it is known whether there is a call; made only if a filter looks at it. */
    public Supplier<HandlerContext> forFilters(
            RegisteredHandler handler, ResourceObject resourceObject, InvocationCause invocationCause) {
        return () -> {
            Instant now = platform.now();
            return new HandlerCallContext(
                    handler,
                    resourceObject,
                    invocationCause,
                    new CallTiming(0, now, now, platform::now),
                    new PatchContent(),
                    NoSubHandlers.INSTANCE,
                    this);
        };
    }

    /** How far the handlers of an object have come, as their colleagues ask for it. Thread-safe. */
    @FunctionalInterface
    public interface HandlerOutcomes {
        /**
         * The record of a handler; null if there is none.
         *
         * @param body the object as the asking handler sees it
         */
        @Nullable ProgressRecord record(String handlerId, ObjectNode body);

        /** What the record says; nothing was done if there is none. */
        default HandlerOutcome of(String handlerId, ObjectNode body) {
            ProgressRecord record = record(handlerId, body);
            return record == null
                    ? new HandlerOutcome(0, false, false, Optional.empty())
                    : new HandlerOutcome(
                            record.retries(),
                            record.success(),
                            record.failure(),
                            Optional.ofNullable(record.message()));
        }
    }
}
