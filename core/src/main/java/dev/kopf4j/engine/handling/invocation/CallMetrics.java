package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.time.Duration;

/**
 * Tells a listener how calls have ended, and how long they took. Thread-safe.
 *
 * @param listener who is told
 */
record CallMetrics(MetricsListener listener) {
    void ended(RegisteredHandler handler, HandlerContext context, CallEnd end, Duration took) {
        if (!listener.equals(MetricsListener.NONE)) {
            listener.handlerEnded(new HandlerCall(
                    handler.id(), handler.kind(), context.resource().plural(), outcome(end), context.retry(), took));
        }
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
