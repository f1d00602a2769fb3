package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.Retryable;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/**
 * Calls handlers, each in a task of its own, so that an interrupt hits the user's code and never a request of the
 * framework. Waits for the end of the call, for its timeout, and for what has to be done meanwhile. Thread-safe.
 */
public final class HandlerRunner {
    /** Calls that take longer let others work meanwhile. */
    private static final Duration QUICK = Duration.ofMillis(100);

    /** Calls that take longer let others have their turn. */
    private static final Duration WITHIN_TURN = Duration.ofMillis(5);

    /** How many times a worker lets others run: a new task may be queued behind those that were there before. */
    private static final int OTHERS_RUN_FIRST = 4;

    private final Platform platform;
    private final OperatorSettings.Execution settings;
    private final CallMetrics metrics;
    private final ConcurrentCallLimit limit;
    private final ObjectTurns objectTurns;
    private final LeadershipFence fence;

    /** A runner with the given settings. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings) {
        this(platform, settings, MetricsListener.NONE);
    }

    /** A runner whose calls are measured. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings, MetricsListener metrics) {
        this(
                platform,
                settings,
                new CallMetrics(metrics),
                new ConcurrentCallLimit(platform, settings.maxWorkers()),
                new ObjectTurns(platform, settings.turns()),
                LeadershipFence.OPEN);
    }

    private HandlerRunner(
            Platform platform,
            OperatorSettings.Execution settings,
            CallMetrics metrics,
            ConcurrentCallLimit limit,
            ObjectTurns objectTurns,
            LeadershipFence fence) {
        this.platform = platform;
        this.settings = settings;
        this.metrics = metrics;
        this.limit = limit;
        this.objectTurns = objectTurns;
        this.fence = fence;
    }

    /** The same runner, sharing all limits, whose calls begin only while the fence is open. */
    public HandlerRunner fenced(LeadershipFence other) {
        return new HandlerRunner(platform, settings, metrics, limit, objectTurns, other);
    }

    /** The time and the tasks of the calls. */
    public Platform platform() {
        return platform;
    }

    /** Which objects are at the stage of calling several handlers. */
    public ObjectTurns objectTurns() {
        return objectTurns;
    }

    /** How long an interrupted call may take to end before it is left behind. */
    public Duration interruptGrace() {
        return settings.interruptGrace();
    }

    /** The policy for a call that begins or ends now, of a handler with that record. */
    public RetryPolicy retryPolicy(Retryable handler, ProgressRecord record) {
        return RetryPolicy.of(handler, record, platform.now(), settings.defaultBackoff());
    }

    /** When the time for all attempts is over, counted from now. */
    public Deadline timeout(RetryPolicy policy) {
        Duration left = policy.timeLeft();
        return left == null ? Deadline.NEVER : platform.after(left);
    }

    /**
     * Calls a handler, and waits for its end.
     *
     * @param monitor is notified when the call ends and when the call requests something
     * @throws InterruptedException if the waiting task is interrupted; the call is interrupted, too, then
     * @throws LeadershipLostException if the fence is closed; the handler was not called
     */
    public CallEnd run(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, DuringCall duringCall)
            throws InterruptedException {
        CallEnd end = limit.during(() -> call(handler, context, timeout, monitor, duringCall));
        if (end instanceof CallEnd.Threw(LeadershipLostException lost)) {
            throw lost;
        }
        return end;
    }

    private CallEnd call(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, DuringCall duringCall)
            throws InterruptedException {
        long begun = platform.nanos();
        String name = handler.id() + "@" + context.name();
        CallTask call = new CallTask(platform, monitor, name, () -> invoke(handler, context));
        // Most handlers are quick: waiting for their end, with a time limit, would cost more than they do.
        for (int time = 0; time < OTHERS_RUN_FIRST && !call.hasEnded(); time++) {
            platform.letOthersRun();
        }
        try {
            awaitQuick(call, timeout, duringCall);
            CallEnd end = call.hasEnded() ? call.end() : awaitSlow(handler, context, call, timeout, duringCall);
            if (!(end instanceof CallEnd.Threw(LeadershipLostException _))) {
                metrics.ended(handler, context, end, Duration.ofNanos(platform.nanos() - begun));
            }
            return end;
        } catch (InterruptedException e) {
            call.task().interrupt();
            context.logger()
                    .warn("{} is cancelled, as the operator stops or pauses. It will be called again.", handler);
            duringCall.left(call.task());
            throw e;
        } catch (RuntimeException e) {
            // What was to be done meanwhile has failed: nobody does any more what the call may be waiting for.
            call.task().interrupt();
            duringCall.left(call.task());
            throw e;
        }
    }

    /** In the task of the call: the last moment to ask. A process that was suspended goes on anywhere. */
    CallEnd invoke(RegisteredHandler handler, HandlerContext context) {
        return fence.until().hasPassed(platform)
                ? new CallEnd.Threw(LeadershipLostException.ofCall(handler))
                : HandlerInvocation.invoke(handler, context);
    }

    private void awaitQuick(CallTask call, Deadline timeout, DuringCall duringCall) throws InterruptedException {
        Deadline quick = platform.after(QUICK).orEarlier(timeout).orEarlier(duringCall.due());
        call.awaitEndOr(duringCall::isRequested, platform.after(WITHIN_TURN).orEarlier(quick));
        if (!call.hasEnded()) {
            ObjectTurns.endTurn();
            call.awaitEndOr(duringCall::isRequested, quick);
        }
    }

    private CallEnd awaitSlow(
            RegisteredHandler handler, HandlerContext context, CallTask call, Deadline timeout, DuringCall duringCall)
            throws InterruptedException {
        LongWaitSignal.begins();
        try {
            while (true) {
                call.awaitEndOr(duringCall::isRequested, timeout.orEarlier(duringCall.due()));
                if (call.hasEnded()) {
                    return call.end();
                }
                if (timeout.hasPassed(platform)) {
                    return timeOut(handler, context, call);
                }
                duringCall.act();
            }
        } finally {
            LongWaitSignal.ends();
        }
    }

    private CallEnd timeOut(RegisteredHandler handler, HandlerContext context, CallTask call)
            throws InterruptedException {
        CallEnd end = call.timeOut(interruptGrace());
        if (end instanceof CallEnd.Orphaned(var task)) {
            context.logger()
                    .warn(
                            "{} ignores that it was interrupted {} seconds ago, and is left behind. It is not called for"
                                    + " this object until it has ended. It is at:\n{}",
                            handler,
                            interruptGrace().toSeconds(),
                            HandlerStackTrace.text(task.stack()));
        }
        return end;
    }
}
