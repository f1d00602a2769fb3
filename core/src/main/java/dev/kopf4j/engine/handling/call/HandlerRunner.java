package dev.kopf4j.engine.handling.call;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorMetrics;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.hierarchy.HandledObject;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWait;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.io.Serial;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
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
    private final OperatorMetrics metrics;
    private final CallLimit limit;
    private final Turns turns;

    /** A runner with the given settings. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings) {
        this(platform, settings, OperatorMetrics.NONE);
    }

    /** A runner whose calls are measured. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings, OperatorMetrics metrics) {
        this.metrics = metrics;
        this.limit = new CallLimit(platform, settings.maxWorkers());
        this.turns = new Turns(platform, settings.turns());
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
    public Turns turns() {
        return turns;
    }

    /** Something to be done while a call is running. */
    public interface Meanwhile {
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
    public End run(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, Meanwhile meanwhile)
            throws InterruptedException {
        return limit.during(() -> call(handler, context, timeout, monitor, meanwhile));
    }

    private End call(
            RegisteredHandler handler, HandlerContext context, Deadline timeout, Monitor monitor, Meanwhile meanwhile)
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
            Deadline quick = platform.after(QUICK).orEarlier(timeout).orEarlier(meanwhile.due());
            call.awaitEndOr(meanwhile::isRequested, platform.after(WITHIN_TURN).orEarlier(quick));
            if (!call.hasEnded()) {
                Turns.giveUp();
                call.awaitEndOr(meanwhile::isRequested, quick);
            }
            End end = call.hasEnded() ? call.end() : awaitSlow(handler, context, call, task, timeout, meanwhile);
            measure(handler, context, end, begun);
            return end;
        } catch (InterruptedException e) {
            task.interrupt();
            context.logger()
                    .warn("{} is cancelled, as the operator stops or pauses. It will be called again.", handler);
            throw new Cancelled(task, e);
        }
    }

    private void measure(RegisteredHandler handler, HandlerContext context, End end, long begun) {
        if (!metrics.equals(OperatorMetrics.NONE)) {
            metrics.handlerEnded(new HandlerCall(
                    handler.id(),
                    handler.kind().name().toLowerCase(Locale.ROOT),
                    context.resource().plural(),
                    outcome(end),
                    context.retry(),
                    Duration.ofNanos(platform.nanos() - begun)));
        }
    }

    private static HandlerCall.Outcome outcome(End end) {
        return switch (end) {
            case End.Returned(var value) -> HandlerCall.Outcome.SUCCEEDED;
            case End.Threw(TemporaryException exception) -> HandlerCall.Outcome.TEMPORARY;
            case End.Threw(PermanentException exception) -> HandlerCall.Outcome.PERMANENT;
            case End.Threw(var exception) -> HandlerCall.Outcome.ERROR;
            case End.TimedOut() -> HandlerCall.Outcome.TIMEOUT;
            case End.LeftBehind(var task) -> HandlerCall.Outcome.TIMEOUT;
        };
    }

    private End awaitSlow(
            RegisteredHandler handler,
            HandlerContext context,
            Call call,
            Task task,
            Deadline timeout,
            Meanwhile meanwhile)
            throws InterruptedException {
        LongWait.begins();
        try {
            while (true) {
                call.awaitEndOr(meanwhile::isRequested, timeout.orEarlier(meanwhile.due()));
                if (call.hasEnded()) {
                    return call.end();
                }
                if (timeout.hasPassed(platform)) {
                    return interrupt(handler, call, task, context.logger());
                }
                meanwhile.act();
            }
        } finally {
            LongWait.ends();
        }
    }

    private End interrupt(RegisteredHandler handler, Call call, Task task, Logger logger) throws InterruptedException {
        task.interrupt();
        Duration grace = settings.interruptGrace();
        if (call.awaitEnd(platform.after(grace))) {
            return new End.TimedOut();
        }
        logger.warn(
                "{} ignores that it was interrupted {} seconds ago, and is left behind. It is not called for this object"
                        + " until it has ended. It is at:\n{}",
                handler,
                grace.toSeconds(),
                Arrays.stream(task.stack()).map(frame -> "    at " + frame).collect(Collectors.joining("\n")));
        return new End.LeftBehind(task);
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
    public sealed interface End {
        /** The function has returned. */
        record Returned(@Nullable Object value) implements End {}

        /** The function has thrown. */
        record Threw(Throwable exception) implements End {}

        /** Its time was over, and it has ended on the interrupt. */
        record TimedOut() implements End {}

        /** Its time was over, and it goes on in spite of the interrupt. */
        record LeftBehind(Task task) implements End {}
    }

    /** Calls a handler in the current task, which it may interrupt. */
    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    static End invoke(RegisteredHandler handler, HandlerContext context) {
        // For the loggers that the user's code has of its own.
        String namespace = context.namespace();
        MDC.put("object", (namespace == null ? "" : namespace + "/") + context.name());
        MDC.put("handler", handler.id());
        try {
            return new End.Returned(
                    HandledObject.during(context, () -> handler.invoker().invoke(context)));
        } catch (TemporaryException | PermanentException e) {
            // Nobody looks at their traces.
            return new End.Threw(e);
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            return new End.Threw(UserTrace.cut(e));
        }
    }

    private static final class Call {
        private final Monitor monitor;
        private @Nullable End end;

        Call(Monitor monitor) {
            this.monitor = monitor;
        }

        void run(RegisteredHandler handler, HandlerContext context) {
            End reached = invoke(handler, context);
            monitor.locked(() -> {
                end = reached;
            });
        }

        void awaitEndOr(BooleanSupplier other, Deadline deadline) throws InterruptedException {
            monitor.awaitTrue(() -> end != null || other.getAsBoolean(), deadline);
        }

        boolean hasEnded() {
            return monitor.locked(() -> end != null);
        }

        boolean awaitEnd(Deadline deadline) throws InterruptedException {
            return monitor.awaitTrue(() -> end != null, deadline);
        }

        End end() {
            return monitor.locked(() -> {
                if (end == null) {
                    throw new IllegalStateException("the call has not ended");
                }
                return end;
            });
        }
    }
}
