package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/**
 * Waits for the end of a call, and lets others work meanwhile. What has to be done during the call is done here.
 *
 * @param timeout when the call is interrupted
 * @param grace how long an interrupted call may take to end before it is left behind
 */
record CallWait(
        Platform platform,
        RegisteredHandler handler,
        HandlerContext context,
        CallTask call,
        Deadline timeout,
        Duration grace,
        WorkDuringCall workDuringCall) {
    /** Calls that take longer let others work meanwhile. */
    private static final Duration QUICK = Duration.ofMillis(100);

    /** Calls that take longer let others have their turn. */
    private static final Duration WITHIN_TURN = Duration.ofMillis(5);

    /** How many times a worker lets others run: a new task may be queued behind those that were there before. */
    private static final int OTHERS_RUN_FIRST = 4;

    CallEnd await() throws InterruptedException {
        // Most handlers are quick: waiting for their end, with a time limit, would cost more than they do.
        for (int time = 0; time < OTHERS_RUN_FIRST && !call.hasEnded(); time++) {
            platform.letOthersRun();
        }
        try {
            awaitQuick();
            return call.hasEnded() ? call.end() : awaitSlow();
        } catch (InterruptedException e) {
            call.task().interrupt();
            context.logger()
                    .warn("{} is cancelled, as the operator stops or pauses. It will be called again.", handler);
            workDuringCall.left(call.task());
            throw e;
        } catch (RuntimeException e) {
            // The work that was due during the call has failed, and the call may be waiting for that work.
            call.task().interrupt();
            workDuringCall.left(call.task());
            throw e;
        }
    }

    private void awaitQuick() throws InterruptedException {
        Deadline quick = platform.after(QUICK).orEarlier(timeout).orEarlier(workDuringCall.due());
        call.awaitEndOr(workDuringCall::isRequested, platform.after(WITHIN_TURN).orEarlier(quick));
        if (!call.hasEnded()) {
            ObjectTurns.endTurn();
            call.awaitEndOr(workDuringCall::isRequested, quick);
        }
    }

    private CallEnd awaitSlow() throws InterruptedException {
        LongWaitSignal.begins();
        try {
            while (true) {
                call.awaitEndOr(workDuringCall::isRequested, timeout.orEarlier(workDuringCall.due()));
                if (call.hasEnded()) {
                    return call.end();
                }
                if (timeout.hasPassed(platform)) {
                    return timeOut();
                }
                workDuringCall.act();
            }
        } finally {
            LongWaitSignal.ends();
        }
    }

    private CallEnd timeOut() throws InterruptedException {
        CallEnd end = call.timeOut(grace);
        if (end instanceof CallEnd.Orphaned(var task)) {
            context.logger()
                    .warn(
                            "{} ignores that it was interrupted {} seconds ago, and is left behind. It is not called for"
                                    + " this object until it has ended. It is at:\n{}",
                            handler,
                            grace.toSeconds(),
                            HandlerStackTrace.text(task.stack()));
        }
        return end;
    }
}
