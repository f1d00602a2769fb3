package dev.kopf4j.engine.call;

import dev.kopf4j.BindingException;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.Tracing;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.call.HandlerResult.ResultTypes;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

/**
 * Calls handlers, each in a task of its own, so that an interrupt hits the user's code and never a request of the
 * framework. Waits for the end of the call, for its timeout, and for what has to be done meanwhile. Thread-safe.
 *
 * @param platform the time and the tasks of the calls
 * @param settings how calls are made
 * @param trace hears of each step
 * @param limit how many calls are made at a time
 * @param objectTurns which objects are at the stage of calling several handlers
 * @param fence whether calls may begin
 * @param standstills for how long the process has stood still
 */
public record HandlerRunner(
        Platform platform,
        OperatorSettings.Execution settings,
        OperatorTrace trace,
        ConcurrentCallLimit limit,
        ObjectTurns objectTurns,
        LeadershipFence fence,
        Standstills standstills) {

    private static final Duration LOOKS_AGAIN_MIN = Duration.ofSeconds(1);

    /** A runner with the given settings. */
    public HandlerRunner(Platform platform, OperatorSettings.Execution settings, OperatorTrace trace) {
        this(
                platform,
                settings,
                trace,
                new ConcurrentCallLimit(platform, settings.maxWorkers()),
                new ObjectTurns(platform, settings.turns()),
                LeadershipFence.OPEN,
                new Standstills(platform));
    }

    /** The same runner, sharing all limits, whose calls begin only while the fence is open. */
    public HandlerRunner fenced(LeadershipFence other) {
        return new HandlerRunner(platform, settings, trace, limit, objectTurns, other, standstills);
    }

    /** The same runner for calls that other calls wait for: if they needed a permit, both could wait for ever. */
    HandlerRunner withoutLimit() {
        ConcurrentCallLimit none = new ConcurrentCallLimit(platform, null);
        return new HandlerRunner(platform, settings, trace, none, objectTurns, fence, standstills);
    }

    /** The same runner, sharing all limits, for records that only this process knows. */
    HandlerRunner steady() {
        return new HandlerRunner(new SteadyPlatform(platform), settings, trace, limit, objectTurns, fence, standstills);
    }

    /** How long an interrupted call may take to end before it is left behind. */
    public Duration interruptGrace() {
        return settings.interruptGrace();
    }

    /** When somebody looks again whether a call that was left behind has ended: not at once, even without a grace. */
    public Duration lookAgainAfter() {
        Duration grace = interruptGrace();
        return grace.compareTo(LOOKS_AGAIN_MIN) < 0 ? LOOKS_AGAIN_MIN : grace;
    }

    /** The pause after an arbitrary exception where the handler has none of its own. */
    Duration defaultBackoff() {
        return settings.defaultBackoff();
    }

    /**
     * Calls a handler, and waits for its end.
     *
     * @param monitor is notified when the call ends and when the call requests something
     * @throws InterruptedException if the waiting task is interrupted; the call is interrupted, too, then, or does not
     *     begin
     * @throws LeadershipLostException if the fence is closed; the handler was not called
     */
    public CallEnd run(
            RegisteredHandler handler,
            HandlerContext context,
            Deadline timeout,
            Monitor monitor,
            WorkDuringCall workDuringCall)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the call of " + handler);
        }
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
        if (!fence.equals(LeadershipFence.OPEN) && !mayAct(context.uid())) {
            // The call would end before its handler begins, and nobody shall hear that it has begun.
            return new CallEnd.Threw(LeadershipLostException.ofCall(handler));
        }
        TracedCall traced = TracedCall.begin(platform, trace, handler, context);
        String name = handler.id() + "@" + context.name();
        CallTask task = new CallTask(platform, monitor, name, () -> invoke(handler, context));
        try {
            CallEnd end = new CallWait(handler, context, task, timeout, workDuringCall).await();
            traced.ended(end);
            return end;
        } catch (InterruptedException | RuntimeException e) {
            traced.ended(null);
            throw e;
        }
    }

    /** A call of a daemon or a timer begins, which is made by {@link #invoke}. */
    TracedCall begin(RegisteredHandler handler, HandlerContext context) {
        return TracedCall.begin(platform, trace, handler, context);
    }

    /** True if calls may begin for the object with that uid. */
    public boolean mayAct(String uid) {
        return !fence.until(uid).hasPassed(platform);
    }

    /** True if calls may begin for the object of that call, of its handler or of its steps. It may have to wait. */
    public boolean mayAct(HandlerContext context) {
        return fence.equals(LeadershipFence.OPEN) || (isCertain() && mayAct(context.uid()));
    }

    /** Waits as long as it is in doubt whether calls may begin. */
    void awaitCertainty() throws InterruptedException {
        boolean _ = fence.awaitCertainty();
    }

    private boolean isCertain() {
        try {
            return fence.awaitCertainty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Runs in the task of the call. The fence is asked at the last moment, as the process may have been suspended
     * anywhere before it.
     */
    CallEnd invoke(RegisteredHandler handler, HandlerContext context) {
        if (!mayAct(context)) {
            return new CallEnd.Threw(LeadershipLostException.ofCall(handler));
        }
        try (Tracing.Scope _ = trace.entered(context)) {
            return callHere(handler, context);
        }
    }

    /**
     * Tells the trace of one call. Thread-safe.
     *
     * @param begun when it began, by the monotonic clock
     * @param told true once its end was told
     */
    record TracedCall(
            Platform platform,
            OperatorTrace trace,
            RegisteredHandler handler,
            HandlerContext context,
            long begun,
            AtomicBoolean told) {
        static TracedCall begin(
                Platform platform, OperatorTrace trace, RegisteredHandler handler, HandlerContext context) {
            trace.happened(new OperatorStep.CallBegan(handler.kind(), context));
            return new TracedCall(platform, trace, handler, context, platform.nanos(), new AtomicBoolean());
        }

        /** The call has ended; null if nobody waits for its end any more. Only the first end is told. */
        void ended(@Nullable CallEnd end) {
            if (end == null || end instanceof CallEnd.Threw(LeadershipLostException _)) {
                tell(null, null);
            } else {
                tell(end, outcome(end));
            }
        }

        /** The call has ended, as it was interrupted in order to stop. Only the first end is told. */
        void interrupted(CallEnd end) {
            tell(end, null);
        }

        private void tell(@Nullable CallEnd end, HandlerCall.@Nullable Outcome outcome) {
            if (told.compareAndSet(false, true)) {
                Duration took = Duration.ofNanos(platform.nanos() - begun);
                trace.happened(
                        new OperatorStep.CallEnded(handler.kind(), context, outcome, took, result(end), failure(end)));
            }
        }

        private static @Nullable JsonNode result(@Nullable CallEnd end) {
            return end instanceof CallEnd.Delivered(var result) ? result : null;
        }

        private static @Nullable Throwable failure(@Nullable CallEnd end) {
            return end instanceof CallEnd.Threw(var exception) ? exception : null;
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

    /**
     * How many handlers run at a time, over all objects. Sub-handlers run with the permit of their parent, which waits
     * for them; otherwise they could wait for each other for ever. Thread-safe.
     */
    static final class ConcurrentCallLimit {
        private static final ScopedValue<Boolean> PERMITTED = ScopedValue.newInstance();

        private final @Nullable ConcurrencyLimit concurrencyLimit;

        /**
         * A limit.
         *
         * @param atMost how many; null for any number
         */
        ConcurrentCallLimit(Platform platform, @Nullable Integer atMost) {
            this.concurrencyLimit = atMost == null ? null : new ConcurrencyLimit(platform, atMost);
        }

        /** Makes the call when it is permitted. */
        <T> T during(ScopedValue.CallableOp<T, InterruptedException> call) throws InterruptedException {
            if (concurrencyLimit == null || PERMITTED.isBound()) {
                return call.call();
            }
            LongWaitSignal.begins();
            try {
                concurrencyLimit.acquire(Deadline.NEVER);
            } finally {
                LongWaitSignal.ends();
            }
            try {
                return ScopedValue.where(PERMITTED, true).call(call);
            } finally {
                concurrencyLimit.release();
            }
        }
    }

    /**
     * Calls the user's function in the current task, and reads its result there: that is the user's code, too, by
     * iterators and getters. Whatever it throws is an end of the call.
     */
    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    private static CallEnd callHere(RegisteredHandler handler, HandlerContext context) {
        // The user's own loggers name the object, too.
        MDC.put("object", context.namespace().map(namespace -> namespace + "/").orElse("") + context.name());
        MDC.put("handler", handler.id());
        try {
            return CurrentHandlerContext.callWithContext(
                    context,
                    () -> ended(
                            handler, HandlerResult.ofSuccess(handler.invoker().handle(context))));
        } catch (TaskEndError e) {
            throw e;
        } catch (Throwable e) {
            // Errors, too: somebody waits for the end of the call.
            return new CallEnd.Threw(
                    switch (Platform.meant(e)) {
                        case BindingException misfit
                        when LoggedContent.isSecret(handler.kind(), context) -> misfit.withoutValues();
                        // The traces of these exceptions are never shown.
                        case TemporaryException temporary -> temporary;
                        case PermanentException permanent -> permanent;
                        case Throwable other -> HandlerStackTrace.cut(other);
                    });
        }
    }

    /** What index functions and reviews return stays as it is: it goes into no status. */
    private static CallEnd ended(RegisteredHandler handler, @Nullable Object value) {
        return switch (handler.kind()) {
            case INDEX -> new CallEnd.Returned(value);
            case VALIDATE, MUTATE -> new CallEnd.Returned(ReviewResults.unused(handler, value));
            case RESUME, CREATE, UPDATE, DELETE, FIELD, EVENT, DAEMON, TIMER, RECONCILE, CHILD ->
                new CallEnd.Delivered(HandlerResult.json(value));
        };
    }

    /**
     * What admission handlers return: nothing, as they answer by exceptions and patches. Whoever takes another answer
     * for theirs would let everything pass. Pure.
     */
    public static final class ReviewResults {
        private ReviewResults() {}

        /** True if methods that return the type may return nothing, or what they have changed. */
        public static boolean mayBeNothing(Class<?> type) {
            return type == void.class || type == Void.class || type == Object.class || ResultTypes.isNothing(type);
        }

        /**
         * What somebody may have taken for an answer; null if there is no such thing.
         *
         * @throws PermanentException if it can only be meant as a refusal, or is what nobody waits for
         */
        static @Nullable Object unused(RegisteredHandler handler, @Nullable Object value) {
            if (Boolean.FALSE.equals(value)) {
                throw new PermanentException(handler + " has returned false, which is no answer: to refuse, throw an"
                        + " AdmissionException with the reason; to let pass, return null");
            }
            if (value == null || ResultTypes.isNothing(value.getClass())) {
                return null;
            }
            ResultTypes.problem(value.getClass()).ifPresent(problem -> {
                throw new PermanentException(handler + " has returned " + problem);
            });
            return value;
        }
    }

    /**
     * Waits for the end of a call, and lets others work meanwhile. What has to be done during the call is done here.
     */
    private final class CallWait {
        /** Calls that take longer let others have their turn. */
        private static final Duration WITHIN_TURN = Duration.ofMillis(5);

        /** How many times a worker lets others run: a new task may be queued behind those that were there before. */
        private static final int OTHERS_RUN_FIRST = 4;

        private final RegisteredHandler handler;
        private final HandlerContext context;
        private final CallTask call;
        /** When the call is interrupted, unless the process stands still meanwhile. */
        private final Deadline timeout;

        private final WorkDuringCall workDuringCall;

        CallWait(
                RegisteredHandler handler,
                HandlerContext context,
                CallTask call,
                Deadline timeout,
                WorkDuringCall workDuringCall) {
            this.handler = handler;
            this.context = context;
            this.call = call;
            this.timeout = timeout;
            this.workDuringCall = workDuringCall;
        }

        CallEnd await() throws InterruptedException {
            // Most handlers are quick: waiting for their end, with a time limit, would cost more than they do.
            for (int time = 0; time < OTHERS_RUN_FIRST && !call.hasEnded(); time++) {
                platform.letOthersRun();
            }
            try (Standstills.TimeLimit limit = standstills.limit(timeout)) {
                awaitQuick();
                return call.hasEnded() ? call.end() : awaitSlow(limit);
            } catch (InterruptedException e) {
                workDuringCall.interrupted();
                call.task().interrupt();
                context.logger()
                        .warn("{} is cancelled, as the operator stops or pauses. It will be called again.", handler);
                recordCancelled(e);
                boolean _ = workDuringCall.abandoned(call.task());
                throw e;
            } catch (TaskEndError e) {
                throw e;
            } catch (Throwable e) {
                // The work that was due during the call has failed, and the call may be waiting for that work.
                call.task().interrupt();
                boolean _ = workDuringCall.abandoned(call.task());
                throw e;
            }
        }

        private void awaitQuick() throws InterruptedException {
            Deadline quick =
                    platform.after(Standstills.QUICK).orEarlier(timeout).orEarlier(workDuringCall.due());
            call.awaitEndOr(
                    workDuringCall::isRequested, platform.after(WITHIN_TURN).orEarlier(quick));
            if (!call.hasEnded()) {
                ObjectTurns.endTurn();
                call.awaitEndOr(workDuringCall::isRequested, quick);
            }
        }

        private CallEnd awaitSlow(Standstills.TimeLimit limit) throws InterruptedException {
            LongWaitSignal.begins();
            try {
                limit.watch();
                while (true) {
                    call.awaitEndOr(
                            workDuringCall::isRequested, limit.deadline().orEarlier(workDuringCall.due()));
                    if (call.hasEnded()) {
                        return call.end();
                    }
                    if (limit.deadline().hasPassed(platform)) {
                        return timeOut();
                    }
                    workDuringCall.act();
                }
            } finally {
                LongWaitSignal.ends();
            }
        }

        private CallEnd timeOut() throws InterruptedException {
            workDuringCall.interrupted();
            call.task().interrupt();
            awaitInterrupted(platform.after(interruptGrace()));
            if (call.hasEnded()) {
                return new CallEnd.TimedOut();
            }
            boolean waitedFor = workDuringCall.abandoned(call.task());
            context.logger()
                    .warn(
                            "K4-022: {} ignores that it was interrupted {} seconds ago, and is left behind. It {} called for this"
                                    + " object until it has ended. It is at:\n{}",
                            handler,
                            interruptGrace().toSeconds(),
                            waitedFor ? "is not" : "may be",
                            Task.text(call.task().stack()));
            return new CallEnd.Orphaned(call.task());
        }

        /** Waits for the end of the interrupted call, until the deadline, and records what it has made. */
        private void awaitInterrupted(Deadline end) throws InterruptedException {
            call.awaitEndOr(workDuringCall::isRequested, end);
            while (!call.hasEnded() && !end.hasPassed(platform)) {
                workDuringCall.act();
                call.awaitEndOr(workDuringCall::isRequested, end);
            }
        }

        /** The same for a call that is cancelled. This task may be interrupted again: others ask until it has ended. */
        private void recordCancelled(InterruptedException reason) {
            Deadline end = platform.after(interruptGrace());
            while (workDuringCall.isRecording() && !call.hasEnded() && !end.hasPassed(platform)) {
                ObjectTurns.endTurn();
                try {
                    awaitInterrupted(end);
                } catch (InterruptedException again) {
                    reason.addSuppressed(again);
                } catch (RuntimeException e) {
                    reason.addSuppressed(e);
                    return;
                }
            }
        }
    }

    /** Something that the waiting task does while a call is running. */
    @FunctionalInterface
    public interface WorkDuringCall {

        /** Nothing has to be done, and the call may be made again while an earlier one goes on. */
        WorkDuringCall NONE = _ -> false;

        /** When it has to be done; never, if nothing is due. */
        default Deadline due() {
            return Deadline.NEVER;
        }

        /** True if it has to be done now, whatever the time. Read under the lock of the call's monitor. */
        default boolean isRequested() {
            return false;
        }

        /** Does it. */
        default void act() throws InterruptedException {
            // Nothing is ever due.
        }

        /** The call is about to be interrupted: from here on, only what it has made is recorded. */
        default void interrupted() {
            // There is nothing that would not be done any more.
        }

        /** True if an interrupted call may have something to be recorded before it ends. */
        default boolean isRecording() {
            return false;
        }

        /**
         * The waiting task gives up: it was interrupted, {@link #act} has failed, or the call goes on although its time
         * is over. The call may go on for a while.
         *
         * @return true if the handler is not called for the object again before the call has ended
         */
        boolean abandoned(Task call);
    }

    /** One call of the user's code in a task of its own: an interrupt hits that code, and nothing else. Thread-safe. */
    public static final class CallTask {
        private final Platform platform;
        private final Monitor monitor;
        private final Task task;
        private @Nullable CallEnd end;

        /**
         * Starts a call.
         *
         * @param monitor guards the end of the call
         * @param name of the task
         * @param call makes the call
         */
        public CallTask(Platform platform, Monitor monitor, String name, Supplier<CallEnd> call) {
            this.platform = platform;
            this.monitor = monitor;
            // Whoever remembers a task that has ended does not keep the object that it was about.
            var once = new AtomicReference<@Nullable Supplier<CallEnd>>(call);
            this.task = platform.spawn(name, () -> {
                CallEnd reached = reached(Objects.requireNonNull(once.getAndSet(null)));
                monitor.locked(() -> {
                    end = reached;
                });
            });
        }

        /** Whatever happens: somebody waits for the end of the call. */
        private static CallEnd reached(Supplier<CallEnd> call) {
            try {
                return call.get();
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                return new CallEnd.Threw(e);
            }
        }

        /** The task of the call. */
        public Task task() {
            return task;
        }

        boolean hasEnded() {
            return monitor.locked(() -> end != null);
        }

        /** How the call has ended. */
        public CallEnd end() {
            return monitor.locked(() -> {
                if (end == null) {
                    throw new IllegalStateException("the call has not ended");
                }
                return end;
            });
        }

        /** Waits until the call has ended; false if the deadline came first. */
        public boolean awaitEnd(Deadline deadline) throws InterruptedException {
            return monitor.awaitTrue(() -> end != null, deadline);
        }

        /** Waits until the call has ended, or the condition holds, or the deadline has come. */
        void awaitEndOr(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
            monitor.awaitTrue(() -> end != null || condition.getAsBoolean(), deadline);
        }

        /** The time is over: interrupts the call, and waits for its end for no longer than the grace. */
        public CallEnd timeOut(Duration grace) throws InterruptedException {
            task.interrupt();
            return awaitEnd(platform.after(grace)) ? new CallEnd.TimedOut() : new CallEnd.Orphaned(task);
        }
    }

    /**
     * For how long the process has stood still while calls with a timeout went on: it was stopped as a whole (SIGSTOP,
     * a paused container, a debugger), or had no processor. Where nobody has looked at the clock for long, there was
     * one: who waits for a quick call looks at once, and while others go on, a task does each second. Thread-safe.
     */
    public static final class Standstills {
        /** Calls that take longer let others work meanwhile, and are watched. */
        private static final Duration QUICK = Duration.ofMillis(100);

        private static final Duration TICK = Duration.ofSeconds(1);
        private static final Duration LEAST = Duration.ofSeconds(5);

        private final Platform platform;
        private final Monitor monitor;

        // Guarded by the monitor.
        private int calls;
        private boolean ticking;
        private Deadline lastTick;
        private Duration total = Duration.ZERO;
        /** Nothing before it is counted again. */
        private Deadline counted;

        Standstills(Platform platform) {
            this.platform = platform;
            this.monitor = platform.monitor();
            this.counted = platform.after(Duration.ZERO);
            this.lastTick = counted;
        }

        /** All of it so far. */
        public Duration total() {
            return monitor.locked(() -> {
                if (ticking) {
                    countSince(lastTick);
                }
                return total;
            });
        }

        /** A call with that timeout begins, and goes on until the limit is closed. */
        public TimeLimit limit(Deadline timeout) {
            return new TimeLimit(timeout);
        }

        private void beginTicks() {
            if (!ticking) {
                ticking = true;
                lastTick = platform.after(Duration.ZERO);
                var _ = platform.spawnUnhindered("watch for standstills", this::tick);
            }
        }

        private void tick() {
            try {
                do {
                    platform.sleep(TICK);
                } while (monitor.locked(this::ticked));
            } catch (InterruptedException e) {
                monitor.locked(() -> {
                    ticking = false;
                });
                Thread.currentThread().interrupt();
            }
        }

        /** False if no call goes on for long. */
        private boolean ticked() {
            countSince(lastTick);
            lastTick = platform.after(Duration.ZERO);
            ticking = calls > 0;
            return ticking;
        }

        /** Somebody has looked then, and looks now. Several may come late by the same standstill. */
        private void countSince(Deadline last) {
            if (last.plus(LEAST).hasPassed(platform)) {
                Deadline now = platform.after(Duration.ZERO);
                total = total.plusNanos(now.nanos() - Math.max(last.nanos(), counted.nanos()));
                counted = now;
            }
        }

        /** Until when a call may go on: later by the standstills since it began. Thread-safe. */
        public final class TimeLimit implements AutoCloseable {
            private final Deadline timeout;
            /** False if the call has all the time, or nothing can stand still. */
            private final boolean counts;

            private final Deadline begun;
            private final Duration before;

            // Guarded by the monitor.
            private boolean watched;
            private boolean closed;

            private TimeLimit(Deadline timeout) {
                this.timeout = timeout;
                this.counts = !timeout.isNever() && platform.mayStandStill();
                this.begun = counts ? platform.after(Duration.ZERO) : Deadline.NEVER;
                this.before = counts ? total() : Duration.ZERO;
            }

            /** When to {@link #watch}: calls that have ended by then cost nothing. */
            public Deadline quick() {
                return begun.plus(QUICK).orEarlier(timeout);
            }

            /** The call goes on for long. */
            public void watch() {
                if (counts) {
                    monitor.locked(() -> {
                        if (!watched && !closed) {
                            countSince(begun);
                            watched = true;
                            calls++;
                            beginTicks();
                        }
                    });
                }
            }

            /** The moment, as far as it is known by now. */
            public Deadline deadline() {
                return counts ? timeout.plus(total().minus(before)) : timeout;
            }

            /** The call has ended, or nobody waits for it any more. */
            @Override
            public void close() {
                if (counts) {
                    monitor.locked(() -> {
                        if (watched && !closed) {
                            calls--;
                        } else if (!closed) {
                            countSince(begun);
                        }
                        closed = true;
                    });
                }
            }
        }
    }

    /**
     * Another platform with a clock that is never set: it shows the wall-clock time of the beginning, and what has
     * passed since by {@link #nanos}. For times that are compared with each other in this process alone, so that a step
     * of the wall clock neither ends a wait nor prolongs it. Thread-safe.
     */
    static final class SteadyPlatform extends ForwardingPlatform {
        private final Instant begun;
        private final long begunNanos;

        /** The clock begins now. */
        SteadyPlatform(Platform platform) {
            super(platform);
            this.begun = platform.now();
            this.begunNanos = platform.nanos();
        }

        @Override
        public Instant now() {
            return begun.plusNanos(nanos() - begunNanos);
        }
    }
}
