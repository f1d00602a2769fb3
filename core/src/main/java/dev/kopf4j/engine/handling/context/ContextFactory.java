package dev.kopf4j.engine.handling.context;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.function.Supplier;

/** Makes the contexts of calls. Thread-safe. */
public final class ContextFactory {
    private final Platform platform;
    private final Services services;
    private final Indices indices;

    /** Contexts that take their time, services and indices from here. */
    public ContextFactory(Platform platform, Services services, Indices indices) {
        this.platform = platform;
        this.services = services;
        this.indices = indices;
    }

    /**
     * The context of one call.
     *
     * @param record how far the handler has come
     * @param patch takes what the call wants to be changed
     */
    public HandlerContext calling(
            RegisteredHandler handler,
            Subject subject,
            Occasion occasion,
            ProgressRecord record,
            PatchContent patch,
            SubHandlers subHandlers) {
        Instant started = record.started();
        Instant now = platform.now();
        CallTiming timing = new CallTiming(record.retries(), started == null ? now : started, now);
        return new CallContext(handler, subject, occasion, timing, patch, subHandlers, services, indices);
    }

    /** For filters, which are asked before it is known whether there is a call; made only if a filter looks at it. */
    public Supplier<HandlerContext> probing(RegisteredHandler handler, Subject subject, Occasion occasion) {
        return () -> {
            Instant now = platform.now();
            return new CallContext(
                    handler,
                    subject,
                    occasion,
                    new CallTiming(0, now, now),
                    new PatchContent(),
                    NoSubHandlers.INSTANCE,
                    services,
                    indices);
        };
    }
}
