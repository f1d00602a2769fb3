package dev.kopf4j.engine.daemon;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
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
record TimerSchedule(
        boolean timer,
        @Nullable Duration interval,
        boolean sharp,
        @Nullable Duration idle) {
    static TimerSchedule of(RegisteredHandler handler) {
        DeclaredOptions options = handler.options();
        return new TimerSchedule(
                handler.kind() == HandlerKind.TIMER, options.interval(), options.sharp(), options.idle());
    }

    /**
     * When a call may begin that is due: not before the object has been unchanged for the idle time.
     *
     * @param due when it is due
     * @param changedAt when the object has changed last
     */
    Deadline notBefore(Deadline due, Deadline changedAt) {
        return idle == null ? due : changedAt.plus(idle);
    }

    /** What comes after a call. */
    sealed interface NextCall {
        /** Another call, not before that moment. */
        record At(Deadline at) implements NextCall {}

        /** Another call once the object has changed. */
        record AfterChange() implements NextCall {}

        /** Nothing more. */
        record End() implements NextCall {}
    }

    /**
     * What comes after a call.
     *
     * @param outcome how it has ended
     * @param due when it was due
     * @param now when its changes were written
     * @param changed true if the object has changed since it was called
     */
    NextCall after(Outcome outcome, Deadline due, Deadline now, boolean changed) {
        return switch (outcome) {
            case Outcome.Retry(Duration delay, String _, var _) -> new NextCall.At(now.plus(delay));
            case Outcome.Failed _ -> new NextCall.End();
            case Outcome.Succeeded _ -> timer ? afterSuccess(due, now, changed) : new NextCall.End();
        };
    }

    private NextCall afterSuccess(Deadline due, Deadline now, boolean changed) {
        if (interval != null) {
            return new NextCall.At(sharp ? onGrid(interval, due, now) : now.plus(interval));
        }
        if (idle != null) {
            return changed ? new NextCall.At(now) : new NextCall.AfterChange();
        }
        return new NextCall.End();
    }

    /** The next moment of the grid that begins with the moment that was due; those that have passed are left out. */
    private static Deadline onGrid(Duration interval, Deadline due, Deadline now) {
        long step = interval.toNanos();
        long passed = Math.floorDiv(now.nanos() - due.nanos(), step);
        return due.plus(Duration.ofNanos(Math.multiplyExact(step, passed + 1)));
    }
}
