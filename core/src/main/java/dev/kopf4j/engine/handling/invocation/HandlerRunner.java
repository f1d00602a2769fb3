package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.Retryable;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/**
 * Calls handlers, each in a task of its own, so that an interrupt hits the user's code and never a request of the
 * framework. Waits for the end of the call, for its timeout, and for what has to be done meanwhile. Thread-safe.
 */
public final class HandlerRunner {
    private final Platform platform;
    private final OperatorSettings.Execution settings;
    private final CallMetrics metrics;
    private final ConcurrentCallLimit limit;
    private final ObjectTurns objectTurns;
    private final LeadershipFence fence;

    /** A runner with the given settings. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings) {
        this(platform, settings, MetricsListener.NONE, OperatorTrace.NONE);
    }

    /** A runner whose calls are measured and traced. */
    public HandlerRunner(
            Platform platform, OperatorSettings.Execution settings, MetricsListener metrics, OperatorTrace trace) {
        this(
                platform,
                settings,
                new CallMetrics(metrics, trace),
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

    /** The same runner for calls that other calls wait for: if they needed a permit, both could wait for ever. */
    HandlerRunner withoutLimit() {
        ConcurrentCallLimit none = new ConcurrentCallLimit(platform, null);
        return new HandlerRunner(platform, settings, metrics, none, objectTurns, fence);
    }

    /** The time and the tasks of the calls. */
    public Platform platform() {
        return platform;
    }

    /** Which objects are at the stage of calling several handlers. */
    public ObjectTurns objectTurns() {
        return objectTurns;
    }

    /** Who measures what the calls, and all else, cost. */
    public MetricsListener metrics() {
        return metrics.listener();
    }

    /** Who hears of each step. */
    public OperatorTrace trace() {
        return metrics.trace();
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
            RegisteredHandler handler,
            HandlerContext context,
            Deadline timeout,
            Monitor monitor,
            WorkDuringCall workDuringCall)
            throws InterruptedException {
        CallEnd end = limit.during(() -> call(handler, context, timeout, monitor, workDuringCall));
        if (end instanceof CallEnd.Threw(LeadershipLostException lost)) {
            throw lost;
        }
        return end;
    }

    private CallEnd call(
            RegisteredHandler handler,
            HandlerContext context,
            Deadline timeout,
            Monitor monitor,
            WorkDuringCall workDuringCall)
            throws InterruptedException {
        long begun = platform.nanos();
        metrics.began(handler, context);
        String name = handler.id() + "@" + context.name();
        CallTask task = new CallTask(platform, monitor, name, () -> invoke(handler, context));
        CallEnd end = new CallWait(platform, handler, context, task, timeout, interruptGrace(), workDuringCall).await();
        if (!(end instanceof CallEnd.Threw(LeadershipLostException _))) {
            metrics.ended(handler, context, end, Duration.ofNanos(platform.nanos() - begun));
        }
        return end;
    }

    /** Calls a handler of daemons or timers in the current task, which is its own. */
    CallEnd invokeHere(RegisteredHandler handler, HandlerContext context) {
        metrics.began(handler, context);
        CallEnd end = invoke(handler, context);
        metrics.traceEnd(context, end);
        return end;
    }

    /**
     * Runs in the task of the call. The fence is asked at the last moment, as the process may have been suspended
     * anywhere before it.
     */
    CallEnd invoke(RegisteredHandler handler, HandlerContext context) {
        return fence.until().hasPassed(platform)
                ? new CallEnd.Threw(LeadershipLostException.ofCall(handler))
                : HandlerInvocation.invoke(handler, context);
    }
}
