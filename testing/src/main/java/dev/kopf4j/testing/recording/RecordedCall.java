package dev.kopf4j.testing.recording;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import java.time.Instant;
import java.util.Optional;

/**
 * One call of a handler: what it was called with, and how it has ended. Immutable.
 *
 * @param kind what it is called for
 * @param context all arguments; its views stay valid after the call
 * @param body the object as it was when the call began
 * @param began when it began, on the operator's clock
 * @param end how it has ended; empty while it runs, and for ever if the operator was killed meanwhile
 */
public record RecordedCall(HandlerKind kind, HandlerContext context, Body body, Instant began, Optional<End> end) {

    /**
     * How a call has ended.
     *
     * @param at when, on the operator's clock
     * @param outcome what its end means
     * @param result what is stored in the status, as JSON; empty for nothing
     * @param failure what it has thrown; empty if it has thrown nothing
     */
    public record End(Instant at, HandlerCall.Outcome outcome, Optional<String> result, Optional<Throwable> failure) {}

    /** The handler's id. */
    public String handler() {
        return context.handlerId();
    }

    /** The namespace and the name of the object, such as {@code default/x}. */
    public String object() {
        return body.meta().namespace().map(each -> each + "/").orElse("")
                + body.meta().name();
    }

    /** The uid of the object. */
    public String uid() {
        return body.meta().uid();
    }

    /** How many attempts there were before. */
    public int retry() {
        return context.retry();
    }

    /** True if it has returned. */
    public boolean succeeded() {
        return end.filter(each -> each.outcome() == HandlerCall.Outcome.SUCCEEDED)
                .isPresent();
    }

    /** True if it has ended in a way after which it is tried again. */
    boolean asksForAnother() {
        return end.map(End::outcome)
                .filter(outcome -> switch (outcome) {
                    case TEMPORARY, ERROR, TIMEOUT -> true;
                    case SUCCEEDED, PERMANENT -> false;
                })
                .isPresent();
    }

    /** The same call at its end. */
    RecordedCall ended(End how) {
        return new RecordedCall(kind, context, body, began, Optional.of(how));
    }

    /** In words, for messages. */
    @Override
    public String toString() {
        String attempt = retry() == 0 ? "" : " (attempt " + (retry() + 1) + ")";
        return handler() + "@" + object() + attempt
                + end.map(RecordedCall::words).orElse(" runs");
    }

    private static String words(End end) {
        String why = end.failure().map(failure -> ": " + failure).orElse("");
        return switch (end.outcome()) {
            case SUCCEEDED ->
                " succeeded" + end.result().map(text -> " with " + text).orElse("");
            case TEMPORARY -> " asks for a retry" + why;
            case PERMANENT -> " failed for good" + why;
            case ERROR -> " failed" + why;
            case TIMEOUT -> " was interrupted, as its time was over";
        };
    }
}
