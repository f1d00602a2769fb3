package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.Index;
import dev.kopf4j.Steps;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.call.HandlerAttempt.NoSubHandlers;
import dev.kopf4j.engine.call.HandlerCallContext.CallTiming;
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
 * @param stepsSource makes the steps of a call when they are asked for
 */
public record ContextFactory(
        Platform platform,
        ServiceProvider serviceProvider,
        IndexLookup indexLookup,
        ChildrenLookup childrenLookup,
        HandlerOutcomes stored,
        StepsSource stepsSource) {
    /** For calls without steps. */
    public ContextFactory(
            Platform platform,
            ServiceProvider serviceProvider,
            IndexLookup indexLookup,
            ChildrenLookup childrenLookup,
            HandlerOutcomes stored) {
        this(platform, serviceProvider, indexLookup, childrenLookup, stored, StepsSource.NONE);
    }

    /** The children of an object that exist. */
    public List<Body> childrenOf(ResourceObject parent) {
        return childrenLookup.of(parent);
    }

    /** The same, but what is known of the handlers comes from there, and else from what the object has stored. */
    public ContextFactory with(HandlerOutcomes known) {
        HandlerOutcomes both = (handlerId, body) -> {
            ProgressRecord record = known.record(handlerId, body);
            return record == null ? stored.record(handlerId, body) : record;
        };
        return new ContextFactory(platform, serviceProvider, indexLookup, childrenLookup, both, stepsSource);
    }

    /** The same for calls whose steps come from there. */
    public ContextFactory with(StepsSource source) {
        return new ContextFactory(platform, serviceProvider, indexLookup, childrenLookup, stored, source);
    }

    /** Makes the steps of a call. Thread-safe. */
    @FunctionalInterface
    public interface StepsSource {
        /** Where there can be none. */
        StepsSource NONE = context -> {
            throw new IllegalStateException("steps are possible in handlers of changes (creation, update, deletion,"
                    + " resuming, field), in timers and in daemons only, as nothing else remembers progress");
        };

        /** Those of the call with that context. */
        Steps of(HandlerContext context);
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

    /** Finds the children of objects. Thread-safe. */
    @FunctionalInterface
    public interface ChildrenLookup {
        /** Where nobody knows children. */
        ChildrenLookup NONE = parent -> {
            throw new IllegalStateException(
                    "children are not known here; take them in handlers of events, of changes or of"
                            + " children, in daemons or timers");
        };

        /**
         * The children that exist.
         *
         * @throws IllegalStateException if no kind is watched for children of such objects
         */
        List<Body> of(ResourceObject parent);
    }

    /** The indices of an operator. Thread-safe. */
    @FunctionalInterface
    public interface IndexLookup {
        /**
         * The index of an id.
         *
         * @throws IllegalArgumentException if there is none; the message names those that there are
         */
        Index<?, ?> get(String id);
    }

    /** Gives handlers the clients of other libraries. Thread-safe. */
    @FunctionalInterface
    public interface ServiceProvider {
        /** No services at all. */
        ServiceProvider NONE = type -> {
            throw new IllegalStateException("there is no " + type.getName() + " here");
        };

        /**
         * The service of a type, made at the first request and shared by all handlers of the operator.
         *
         * @throws IllegalStateException if no integration knows the type
         */
        Object get(Class<?> type);

        /** The same with one more service. */
        default <T> ServiceProvider with(Class<T> type, T service) {
            return wanted -> wanted.equals(type) ? service : get(wanted);
        }
    }
}
