package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.tracing.OperatorTrace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners how calls have ended, and how long they took. Thread-safe.
 *
 * @param listener who measures
 * @param trace who is told of each step
 */
record CallMetrics(MetricsListener listener, OperatorTrace trace) {
    void began(RegisteredHandler handler, HandlerContext context) {
        trace.callBegan(handler.kind(), context);
    }

    void ended(RegisteredHandler handler, HandlerContext context, CallEnd end, Duration took) {
        traceEnd(context, end);
        if (!listener.equals(MetricsListener.NONE)) {
            listener.handlerEnded(new HandlerCall(
                    handler.id(), handler.kind(), context.resource().plural(), outcome(end), context.retry(), took));
        }
    }

    /** Tells only those who hear of each step. */
    void traceEnd(HandlerContext context, CallEnd end) {
        trace.callEnded(context, outcome(end), result(end), failure(end));
    }

    private static @Nullable String result(CallEnd end) {
        return end instanceof CallEnd.Delivered(var result) && result != null ? result.toString() : null;
    }

    private static @Nullable Throwable failure(CallEnd end) {
        return end instanceof CallEnd.Threw(var exception) ? exception : null;
    }

    private static HandlerCall.Outcome outcome(CallEnd end) {
        return switch (end) {
            case CallEnd.Returned(var _), CallEnd.Delivered(var _) -> HandlerCall.Outcome.SUCCEEDED;
            case CallEnd.Threw(TemporaryException exception) -> HandlerCall.Outcome.TEMPORARY;
            case CallEnd.Threw(PermanentException exception) -> HandlerCall.Outcome.PERMANENT;
            case CallEnd.Threw(var exception) -> HandlerCall.Outcome.ERROR;
            case CallEnd.TimedOut(), CallEnd.Orphaned(var _) -> HandlerCall.Outcome.TIMEOUT;
        };
    }
}
