package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.io.Serial;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;

/**
 * Calls handlers, each in a task of its own, so that an interrupt hits the user's code and never a request of the
 * framework. Waits for the end of the call, for its deadline, and for what has to be done meanwhile. Thread-safe.
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
    private final MetricsListener metrics;
    private final ConcurrentCallLimit limit;
    private final ObjectTurns objectTurns;

    /** A runner with the given settings. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings) {
        this(platform, settings, MetricsListener.NONE);
    }

    /** A runner whose calls are measured. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings, MetricsListener metrics) {
        this.metrics = metrics;
        this.limit = new ConcurrentCallLimit(platform, settings.maxWorkers());
        this.objectTurns = new ObjectTurns(platform, settings.turns());
        this.platform = platform;
        this.settings = settings;
    }

    /** Its time and tasks. */
    public Platform platform() {
        return platform;
    }

    /** How handlers are called. */
    public OperatorSettings.Execution settings() {
        return settings;
    }

    /** Which objects are at the stage of calling several handlers. */
    public ObjectTurns objectTurns() {
        return objectTurns;
    }

    /** Something to be done while a call is running. */
    public interface DuringCall {
        /** When it has to be done; never, if nothing is to be done at a time. */
        Deadline due();

        /** True if it has to be done now, whatever the time. Read under the lock of the call's monitor. */
        boolean isRequested();

        /** Does it. */
        void act() throws InterruptedException;
    }

    /**
     * Calls a handler, and waits for its end.
     *
     * @param monitor what the call's end and its requests are told by
     * @throws InterruptedException if the waiting task is interrupted; the call is interrupted too then
     */
    public CallEnd run(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, DuringCall duringCall)
            throws InterruptedException {
        return limit.during(() -> call(handler, context, timeout, monitor, duringCall));
    }

    private CallEnd call(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, DuringCall duringCall)
            throws InterruptedException {
        Call call = new Call(monitor);
        long begun = platform.nanos();
        String name = handler.id() + "@" + context.name();
        Task task = platform.spawn(name, () -> call.run(handler, context));
        // Most handlers are quick: waiting for their end, with a time limit, would cost more than they do.
        for (int time = 0; time < OTHERS_RUN_FIRST && !call.hasEnded(); time++) {
            platform.letOthersRun();
        }
        try {
            Deadline quick = platform.after(QUICK).orEarlier(timeout).orEarlier(duringCall.due());
            call.awaitEndOr(duringCall::isRequested, platform.after(WITHIN_TURN).orEarlier(quick));
            if (!call.hasEnded()) {
                ObjectTurns.endTurn();
                call.awaitEndOr(duringCall::isRequested, quick);
            }
            CallEnd callEnd =
                    call.hasEnded() ? call.callEnd() : awaitSlow(handler, context, call, task, timeout, duringCall);
            measure(handler, context, callEnd, begun);
            return callEnd;
        } catch (InterruptedException e) {
            task.interrupt();
            context.logger()
                    .warn("{} is cancelled, as the operator stops or pauses. It will be called again.", handler);
            throw new Cancelled(task, e);
        }
    }

    private void measure(RegisteredHandler handler, HandlerContext context, CallEnd callEnd, long begun) {
        if (!metrics.equals(MetricsListener.NONE)) {
            metrics.handlerEnded(new HandlerCall(
                    handler.id(),
                    handler.kind(),
                    context.resource().plural(),
                    outcome(callEnd),
                    context.retry(),
                    Duration.ofNanos(platform.nanos() - begun)));
        }
    }

    private static HandlerCall.Outcome outcome(CallEnd callEnd) {
        return switch (callEnd) {
            case CallEnd.Returned(var value) -> HandlerCall.Outcome.SUCCEEDED;
            case CallEnd.Threw(TemporaryException exception) -> HandlerCall.Outcome.TEMPORARY;
            case CallEnd.Threw(PermanentException exception) -> HandlerCall.Outcome.PERMANENT;
            case CallEnd.Threw(var exception) -> HandlerCall.Outcome.ERROR;
            case CallEnd.TimedOut() -> HandlerCall.Outcome.TIMEOUT;
            case CallEnd.Orphaned(var task) -> HandlerCall.Outcome.TIMEOUT;
        };
    }

    private CallEnd awaitSlow(
            RegisteredHandler handler,
            HandlerContext context,
            Call call,
            Task task,
            Deadline timeout,
            DuringCall duringCall)
            throws InterruptedException {
        LongWaitSignal.begins();
        try {
            while (true) {
                call.awaitEndOr(duringCall::isRequested, timeout.orEarlier(duringCall.due()));
                if (call.hasEnded()) {
                    return call.callEnd();
                }
                if (timeout.hasPassed(platform)) {
                    return interrupt(handler, call, task, context.logger());
                }
                duringCall.act();
            }
        } finally {
            LongWaitSignal.ends();
        }
    }

    private CallEnd interrupt(RegisteredHandler handler, Call call, Task task, Logger logger)
            throws InterruptedException {
        task.interrupt();
        Duration grace = settings.interruptGrace();
        if (call.awaitEnd(platform.after(grace))) {
            return new CallEnd.TimedOut();
        }
        logger.warn(
                "{} ignores that it was interrupted {} seconds ago, and is left behind. It is not called for this object"
                        + " until it has ended. It is at:\n{}",
                handler,
                grace.toSeconds(),
                Arrays.stream(task.stack()).map(frame -> "    at " + frame).collect(Collectors.joining("\n")));
        return new CallEnd.Orphaned(task);
    }

    /** A call was interrupted, and nobody waits for its end. */
    public static final class Cancelled extends InterruptedException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Task task;

        Cancelled(Task task, InterruptedException cause) {
            super(cause.getMessage());
            initCause(cause);
            this.task = task;
        }

        /** The call, which may go on. */
        public Task task() {
            return task;
        }
    }

    /** How a call has ended, before anybody has judged it. */
    public sealed interface CallEnd {
        /** The function has returned. */
        record Returned(@Nullable Object value) implements CallEnd {}

        /** The function has thrown. */
        record Threw(Throwable exception) implements CallEnd {}

        /** Its time was over, and it has ended on the interrupt. */
        record TimedOut() implements CallEnd {}

        /** Its time was over, and it goes on in spite of the interrupt. */
        record Orphaned(Task task) implements CallEnd {}
    }

    /** Calls a handler in the current task, which it may interrupt. */
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

    private static final class Call {
        private final Monitor monitor;
        private @Nullable CallEnd callEnd;

        Call(Monitor monitor) {
            this.monitor = monitor;
        }

        void run(RegisteredHandler handler, HandlerContext context) {
            CallEnd reached = invoke(handler, context);
            monitor.locked(() -> {
                callEnd = reached;
            });
        }

        void awaitEndOr(BooleanSupplier other, Deadline deadline) throws InterruptedException {
            monitor.awaitTrue(() -> callEnd != null || other.getAsBoolean(), deadline);
        }

        boolean hasEnded() {
            return monitor.locked(() -> callEnd != null);
        }

        boolean awaitEnd(Deadline deadline) throws InterruptedException {
            return monitor.awaitTrue(() -> callEnd != null, deadline);
        }

        CallEnd callEnd() {
            return monitor.locked(() -> {
                if (callEnd == null) {
                    throw new IllegalStateException("the call has not ended");
                }
                return callEnd;
            });
        }
    }
}
