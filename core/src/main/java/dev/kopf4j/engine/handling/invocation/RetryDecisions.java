package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;

/** Judges the ends of calls. Pure. */
public final class RetryDecisions {
    private RetryDecisions() {}

    /** What the end means. */
    public static RetryDecision of(HandlerRunner.CallEnd callEnd, RetryPolicy retryPolicy) {
        return switch (callEnd) {
            case HandlerRunner.CallEnd.Returned(var value) -> retryPolicy.returned(value);
            case HandlerRunner.CallEnd.Threw(var exception) -> retryPolicy.threw(exception);
            case HandlerRunner.CallEnd.TimedOut() -> retryPolicy.timedOut();
            case HandlerRunner.CallEnd.Orphaned(var task) -> retryPolicy.timedOut();
        };
    }
}
