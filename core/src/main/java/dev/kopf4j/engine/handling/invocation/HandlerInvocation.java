package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.progress.HandlerResult;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.runtime.TaskEndError;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls the user's function in the current task, and reads its result there: that is the user's code, too, by iterators
 * and getters. Pure, apart from it.
 */
final class HandlerInvocation {
    private HandlerInvocation() {}

    /** Calls the function of a handler; whatever it throws is an end of the call. */
    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    static CallEnd invoke(RegisteredHandler handler, HandlerContext context) {
        // The user's own loggers name the object, too.
        MDC.put("object", context.namespace().map(namespace -> namespace + "/").orElse("") + context.name());
        MDC.put("handler", handler.id());
        try {
            return CurrentHandlerContext.callWithContext(
                    context, () -> ended(handler, handler.handlerInvoker().invoke(context)));
        } catch (TaskEndError e) {
            throw e;
        } catch (TemporaryException | PermanentException e) {
            // The traces of these exceptions are never shown.
            return new CallEnd.Threw(e);
        } catch (Throwable e) {
            // Errors, too: somebody waits for the end of the call.
            return new CallEnd.Threw(HandlerStackTrace.cut(e));
        }
    }

    /** What index functions return stays as it is: it goes into no status. */
    private static CallEnd ended(RegisteredHandler handler, @Nullable Object value) {
        return handler.kind() == HandlerKind.INDEX
                ? new CallEnd.Returned(value)
                : new CallEnd.Delivered(HandlerResult.json(value));
    }
}
