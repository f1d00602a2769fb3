package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import org.slf4j.MDC;

/** Calls the user's function in the current task. Pure, apart from that function. */
final class HandlerInvocation {
    private HandlerInvocation() {}

    /** Calls the function of a handler; whatever it throws is an end of the call. */
    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    static CallEnd invoke(RegisteredHandler handler, HandlerContext context) {
        // For the loggers that the user's code has of its own.
        MDC.put("object", context.namespace().map(namespace -> namespace + "/").orElse("") + context.name());
        MDC.put("handler", handler.id());
        try {
            return new CallEnd.Returned(CurrentHandlerContext.callWithContext(
                    context, () -> handler.handlerInvoker().invoke(context)));
        } catch (TemporaryException | PermanentException e) {
            // Nobody looks at their traces.
            return new CallEnd.Threw(e);
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            return new CallEnd.Threw(HandlerStackTrace.cut(e));
        }
    }
}
