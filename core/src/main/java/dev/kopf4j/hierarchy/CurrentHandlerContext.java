package dev.kopf4j.hierarchy;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.object.ObjectReference;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Knows the handler's context of the current thread, and so the object that is being handled. The engine binds it
 * around each call of a handler ({@link #callWithContext}).
 *
 * <p>Thread-safe. A thread that a handler starts has no context, unless its action was {@link #withCurrentContext
 * wrapped}.
 */
public final class CurrentHandlerContext {
    private static final ScopedValue<HandlerContext> CONTEXT = ScopedValue.newInstance();

    private CurrentHandlerContext() {}

    /** Calls a handler, or a function for it, with its context bound. */
    public static <T extends @Nullable Object, X extends Throwable> T callWithContext(
            HandlerContext context, ScopedValue.CallableOp<T, X> call) throws X {
        return ScopedValue.where(CONTEXT, context).call(call);
    }

    /**
     * Returns the object being handled, as an owner of others.
     *
     * @param way what to call outside of handlers, for the message
     * @throws IllegalStateException outside of handlers
     */
    public static OwnerIdentity owner(String way) {
        if (!CONTEXT.isBound()) {
            throw new IllegalStateException("Owner must be set explicitly, since running outside of a handler."
                    + " Call " + way + ", or carry the handler's context into the thread with Kopf.wrap(...).");
        }
        return OwnerIdentity.of(CONTEXT.get().body());
    }

    /**
     * Returns the object being handled, as the subject of an event.
     *
     * @throws IllegalStateException outside of handlers
     */
    public static ObjectReference subject() {
        return OwnerIdentity.of(context("Events need an object").body()).reference();
    }

    /**
     * Returns the sink of the events of the current handler's operator.
     *
     * @throws IllegalStateException outside of handlers
     */
    public static EventSink events() {
        return context("Events need an operator").service(EventSink.class);
    }

    /** Returns the id of the handler that the thread is called for, if that call has another context; null if not. */
    public static @Nullable String handlerBut(HandlerContext context) {
        return CONTEXT.isBound() && !CONTEXT.get().equals(context)
                ? CONTEXT.get().handlerId()
                : null;
    }

    /** Returns the id of the handler that the thread is called for; null outside of handlers. */
    public static @Nullable String handlerId() {
        return CONTEXT.isBound() ? CONTEXT.get().handlerId() : null;
    }

    private static HandlerContext context(String need) {
        if (!CONTEXT.isBound()) {
            throw new IllegalStateException(need + ", and there is none outside of a handler."
                    + " Carry the handler's context into the thread with Kopf.wrap(...).");
        }
        return CONTEXT.get();
    }

    /** Returns the action with the current context; the action itself if there is none. */
    public static Runnable withCurrentContext(Runnable action) {
        if (!CONTEXT.isBound()) {
            return action;
        }
        HandlerContext context = CONTEXT.get();
        return () -> ScopedValue.where(CONTEXT, context).run(action);
    }

    /** Returns the action with the current context; the action itself if there is none. */
    public static <T extends @Nullable Object> Callable<T> withCurrentContext(Callable<T> action) {
        if (!CONTEXT.isBound()) {
            return action;
        }
        HandlerContext context = CONTEXT.get();
        return () -> ScopedValue.where(CONTEXT, context).call(action::call);
    }
}
