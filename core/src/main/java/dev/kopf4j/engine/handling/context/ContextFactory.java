package dev.kopf4j.engine.handling.context;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.function.Supplier;

/** Makes the contexts of calls. Thread-safe. */
public final class ContextFactory {
    private final Platform platform;
    private final ServiceProvider serviceProvider;
    private final IndexLookup indexLookup;

    /** Contexts that take their time, services and indices from here. */
    public ContextFactory(Platform platform, ServiceProvider serviceProvider, IndexLookup indexLookup) {
        this.platform = platform;
        this.serviceProvider = serviceProvider;
        this.indexLookup = indexLookup;
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
        CallTiming timing = new CallTiming(record.retries(), started == null ? now : started, now);
        return new HandlerCallContext(
                handler, resourceObject, invocationCause, timing, patch, subHandlers, serviceProvider, indexLookup);
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
                    new CallTiming(0, now, now),
                    new PatchContent(),
                    NoSubHandlers.INSTANCE,
                    serviceProvider,
                    indexLookup);
        };
    }
}
