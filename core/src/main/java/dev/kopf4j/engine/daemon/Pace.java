package dev.kopf4j.engine.daemon;

import dev.kopf4j.BackgroundOptions;
import dev.kopf4j.HandlerDefinition;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a daemon or a timer is called again. Pure.
 *
 * @param timer true for a timer: a success is no end, if there is an interval or an idle time
 * @param interval the time between two calls; null for none
 * @param sharp true if it is measured from start to start
 * @param idle how long the object must be unchanged before a call; null for not at all
 */
record Pace(
        boolean timer,
        @Nullable Duration interval,
        boolean sharp,
        @Nullable Duration idle) {
    static Pace of(HandlerDefinition definition) {
        BackgroundOptions options = definition.background();
        return new Pace(definition.kind() == HandlerKind.TIMER, options.interval(), options.sharp(), options.idle());
    }

    /** What comes after a call. */
    sealed interface Next {
        /** Another call, not before that moment. */
        record Call(Deadline at) implements Next {}

        /** Another call once the object has changed. */
        record AfterChange() implements Next {}

        /** Nothing more. */
        record End() implements Next {}
    }

    /**
     * What comes after a call.
     *
     * @param outcome how it has ended
     * @param due when it was due
     * @param now when its changes were written
     * @param changed true if the object has changed since it was called
     */
    Next after(Outcome outcome, Deadline due, Deadline now, boolean changed) {
        return switch (outcome) {
            case Outcome.Retry(Duration delay, String _) -> new Next.Call(now.plus(delay));
            case Outcome.Failed _ -> new Next.End();
            case Outcome.Succeeded _ -> timer ? afterSuccess(due, now, changed) : new Next.End();
        };
    }

    private Next afterSuccess(Deadline due, Deadline now, boolean changed) {
        if (interval != null) {
            return new Next.Call(sharp ? onGrid(interval, due, now) : now.plus(interval));
        }
        if (idle != null) {
            return changed ? new Next.Call(now) : new Next.AfterChange();
        }
        return new Next.End();
    }

    /** The next moment of the grid that begins with the moment that was due; those that have passed are left out. */
    private static Deadline onGrid(Duration interval, Deadline due, Deadline now) {
        long step = interval.toNanos();
        long passed = Math.floorDiv(now.nanos() - due.nanos(), step);
        return due.plus(Duration.ofNanos(Math.multiplyExact(step, passed + 1)));
    }
}
