package dev.kopf4j.hierarchy;

import dev.kopf4j.HandlerContext;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Knows which object is being handled by the current thread. The engine binds {@link #CONTEXT} around each call of a
 * handler.
 *
 * <p>Thread-safe. A thread that a handler starts on its own knows nothing, unless its work was
 * {@link #withCurrentContext wrapped}.
 */
public final class CurrentHandlerContext {
    private static final ScopedValue<HandlerContext> CONTEXT = ScopedValue.newInstance();

    private CurrentHandlerContext() {}

    /** Calls a handler, or a function on its behalf, with the context that it is called with. */
    public static <T extends @Nullable Object, X extends Throwable> T callWithContext(
            HandlerContext context, ScopedValue.CallableOp<T, X> call) throws X {
        return ScopedValue.where(CONTEXT, context).call(call);
    }

    /**
     * The object being handled, as an owner of others.
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
     * The object being handled, to be told about by an event.
     *
     * @throws IllegalStateException outside of handlers
     */
    public static OwnerIdentity subject() {
        return OwnerIdentity.of(context("Events need an object").body());
    }

    /**
     * Where the operator of the current handler posts events.
     *
     * @throws IllegalStateException outside of handlers
     */
    public static EventSink events() {
        return context("Events need an operator").service(EventSink.class);
    }

    private static HandlerContext context(String need) {
        if (!CONTEXT.isBound()) {
            throw new IllegalStateException(need + ", and there is none outside of a handler."
                    + " Carry the handler's context into the thread with Kopf.wrap(...).");
        }
        return CONTEXT.get();
    }

    /** The same action with the context of now; the action itself if there is none. */
    public static Runnable withCurrentContext(Runnable action) {
        if (!CONTEXT.isBound()) {
            return action;
        }
        HandlerContext context = CONTEXT.get();
        return () -> ScopedValue.where(CONTEXT, context).run(action);
    }

    /** The same action with the context of now; the action itself if there is none. */
    public static <T extends @Nullable Object> Callable<T> withCurrentContext(Callable<T> action) {
        if (!CONTEXT.isBound()) {
            return action;
        }
        HandlerContext context = CONTEXT.get();
        return () -> ScopedValue.where(CONTEXT, context).call(action::call);
    }
}
