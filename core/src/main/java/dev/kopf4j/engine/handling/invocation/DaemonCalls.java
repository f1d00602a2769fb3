package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Stopped;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.handling.progress.ProgressTransitions;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Selects the daemons and timers of objects, and prepares their calls. Thread-safe. */
public final class DaemonCalls {
    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls with the settings of the given runner. */
    public DaemonCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** How long an interrupted call may take to end before it is left behind. */
    public Duration interruptGrace() {
        return runner.interruptGrace();
    }

    /** The daemons and timers whose filters let the object pass. */
    public List<RegisteredHandler> matching(List<RegisteredHandler> handlers, ResourceObject resourceObject) {
        InvocationCause.Spawning occasion = new InvocationCause.Spawning(resourceObject::node, null);
        return HandlerSelection.forDaemons(handlers, resourceObject, occasion, contexts);
    }

    /**
     * How long to wait before the first call. May call the user's code.
     *
     * @return the time, not negative
     * @throws Exception of the user's code
     */
    public Duration initialDelay(RegisteredHandler handler, ResourceObject resourceObject) throws Exception {
        InitialDelay declared = handler.declaration().background().initialDelay();
        Duration delay = switch (declared) {
            case null -> null;
            case InitialDelay.Fixed(Duration time) -> time;
            case InitialDelay.Computed(var function) -> computed(function, handler, resourceObject);
        };
        return delay == null || delay.isNegative() ? Duration.ZERO : delay;
    }

    private @Nullable Duration computed(
            Function<? super HandlerContext, @Nullable Duration> function,
            RegisteredHandler handler,
            ResourceObject resourceObject)
            throws Exception {
        Supplier<HandlerContext> context =
                contexts.forFilters(handler, resourceObject, new InvocationCause.Spawning(resourceObject::node, null));
        HandlerContext made = context.get();
        return CurrentHandlerContext.callWithContext(made, () -> function.apply(made));
    }

    /**
     * The next call of a daemon or a timer.
     *
     * @param resourceObject the object, with a live body
     * @param before how far it has come in the attempts before; null if this is the first one
     */
    public DaemonCall call(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            Stopped stopped,
            @Nullable ProgressRecord before) {
        ProgressRecord record =
                before == null ? ProgressTransitions.fresh(runner.platform().now(), null) : before;
        return new DaemonCall(runner, contexts, handler, resourceObject, stopped, record);
    }
}
