package dev.kopf4j.engine.call;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.call.HandlerRunner.TracedCall;
import dev.kopf4j.engine.call.HandlerRunner.WorkDuringCall;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one handler, whatever its kind: the limits are checked, the handler is called, the end of the call is
 * judged and logged, and there is a record of how far the handler has come. {@link #make} does it at one go; those who
 * do something in between call the steps. Confined to its caller; used once.
 */
public final class HandlerAttempt {
    private static final Duration LEAST_DOUBT = Duration.ofMillis(100);

    private final HandlerCalls calls;
    private final RegisteredHandler handler;
    private final ResourceObject object;
    private final InvocationCause cause;
    private final PatchContent own;
    /** True if it matters by how much time it is late. */
    private final boolean countsTime;
    /** When this attempt was made, by both clocks, and for how long the process had stood still by then. */
    private final Instant made;

    private final long madeNanos;
    private final Duration standstillBefore;
    private ProgressRecord before;
    /** For how long it was in doubt whether the handler may be called. */
    private Duration inDoubt = Duration.ZERO;
    /** How many seconds of the attempt are counted as lost. */
    private long lost;

    /** The call in a task of its own, of which another task may tell that it is left behind. */
    private volatile @Nullable TracedCall callHere;

    /**
     * An attempt.
     *
     * @param object as the handler sees it
     * @param before how far the handler has come; the time by which this attempt is late is added to it
     * @param own takes what the call wants to change
     */
    public HandlerAttempt(
            HandlerCalls calls,
            RegisteredHandler handler,
            ResourceObject object,
            InvocationCause cause,
            ProgressRecord before,
            PatchContent own) {
        this.calls = calls;
        this.handler = handler;
        this.object = object;
        this.cause = cause;
        // Index functions are never late: they wait for events.
        this.countsTime = handler.options().timeout() != null && handler.kind() != HandlerKind.INDEX;
        this.made = calls.platform().now();
        this.madeNanos = calls.platform().nanos();
        this.standstillBefore = countsTime ? calls.runner().standstills().total() : Duration.ZERO;
        ProgressRecord due = before.calledAt(made);
        this.before = countsTime ? due.countingLateness(made) : due;
        this.own = own;
    }

    /** How far the handler has come, with the time by which this attempt is late, and that it has lost. */
    public ProgressRecord before() {
        return before;
    }

    /** Checks the limits, calls the handler if they allow it, and says what the end means. */
    public RetryDecision make() throws InterruptedException {
        begin();
        RetryDecision refusal = refusal();
        return refusal == null ? decide(call()) : refusal;
    }

    /** The same, and adds to a patch what the call wants to change, and its result. */
    public RetryDecision makeInto(PatchContent patch) throws InterruptedException {
        RetryDecision decision = make();
        deliver(decision, patch);
        return decision;
    }

    /** Logs that the attempt begins. */
    public void begin() {
        object.logger().debug("{} is invoked.", handler);
    }

    /** The decision without a call, if the limits forbid it, which is logged; null if they do not. */
    public @Nullable RetryDecision refusal() {
        RetryDecision refusal = policy().checkLimits();
        return refusal == null ? null : logged(refusal);
    }

    /**
     * Calls the handler in a task of its own, and waits for the end. A call that goes on although it was interrupted is
     * remembered: the next one has to wait for its end.
     */
    public CallEnd call() throws InterruptedException {
        WorkDuringCall remembering = call -> {
            calls.leftBehind().add(object, handler, call);
            return true;
        };
        return call(calls.contexts(), NoSubHandlers.INSTANCE, calls.platform().monitor(), remembering);
    }

    /**
     * Calls the handler in a task of its own, and waits for the end.
     *
     * @param contexts makes the context
     * @param subHandlers where the handler declares its sub-handlers
     * @param monitor is notified when the call ends and when it requests something
     * @param work what is done meanwhile
     */
    public CallEnd call(ContextFactory contexts, SubHandlers subHandlers, Monitor monitor, WorkDuringCall work)
            throws InterruptedException {
        awaitCertainty();
        return call(contexts, subHandlers, timeout(), monitor, work);
    }

    /**
     * Until then nobody may be called: that is no time of the handler's. Who calls it {@link #callHere} waits before.
     */
    public void awaitCertainty() throws InterruptedException {
        long begun = calls.platform().nanos();
        calls.runner().awaitCertainty();
        inDoubt = Duration.ofNanos(calls.platform().nanos() - begun);
        countLostTime();
    }

    /** The same until that time, for calls that may be made again while an earlier one goes on. */
    public CallEnd callUntil(Deadline timeout) throws InterruptedException {
        Monitor monitor = calls.platform().monitor();
        return call(calls.contexts(), NoSubHandlers.INSTANCE, timeout, monitor, WorkDuringCall.NONE);
    }

    private CallEnd call(
            ContextFactory contexts, SubHandlers subHandlers, Deadline timeout, Monitor monitor, WorkDuringCall work)
            throws InterruptedException {
        return calls.runner().run(handler, context(contexts, subHandlers), timeout, monitor, work);
    }

    /** Calls the handler in the current task, which is its own. The caller tells how it has {@link #ended}. */
    public CallEnd callHere() {
        HandlerContext context = context(calls.contexts(), NoSubHandlers.INSTANCE);
        callHere = calls.runner().begin(handler, context);
        return calls.runner().invoke(handler, context);
    }

    private HandlerContext context(ContextFactory contexts, SubHandlers subHandlers) {
        return contexts.forCall(handler, object, cause, told(), own, subHandlers);
    }

    /** The record as the handler hears of it: with its beginning by the wall clock as it is set now. */
    private ProgressRecord told() {
        Instant started = before.started();
        Platform wallClock = calls.contexts().platform();
        if (started == null || calls.platform().equals(wallClock)) {
            return before;
        }
        Instant told =
                wallClock.now().minus(Duration.between(started, calls.platform().now()));
        return before.with(new Times(told, before.stopped(), before.delayed()), before.state());
    }

    /** Tells those who trace it how the call in its own task has ended; only the first end counts. */
    public void ended(CallEnd end) {
        TracedCall begun = callHere;
        if (begun != null) {
            begun.ended(end);
        }
    }

    /** The same, if it was interrupted in order to stop, so that its end means nothing. */
    public void interrupted(CallEnd end) {
        TracedCall begun = callHere;
        if (begun != null) {
            begun.interrupted(end);
        }
    }

    /** When the time for all attempts is over, counted from now. */
    public Deadline timeout() {
        Duration left = policy().timeLeft();
        return left == null ? Deadline.NEVER : calls.platform().after(left);
    }

    /**
     * Counts as late what the call has not had of the time since it began: it was in doubt whether it may begin, the
     * process stood still, or the wall clock was set forward, or went on alone while the machine was suspended.
     */
    private void countLostTime() {
        if (!countsTime) {
            return;
        }
        Platform platform = calls.platform();
        Duration byMonotonicClock = Duration.ofNanos(platform.nanos() - madeNanos);
        Duration ahead = Duration.between(made, platform.now()).minus(byMonotonicClock);
        Duration standstill = calls.runner().standstills().total().minus(standstillBefore);
        long seconds = Math.max(0, ahead.toSeconds()) + standstill.toSeconds() + secondsInDoubt();
        if (seconds > lost) {
            before = before.lateBy(seconds - lost);
            lost = seconds;
        }
    }

    /**
     * Rounded up, so that nothing is left of it that counts against a short timeout; but what a busy machine takes
     * between two looks at the clock is no doubt.
     */
    private long secondsInDoubt() {
        return inDoubt.compareTo(LEAST_DOUBT) < 0 ? 0 : inDoubt.plusMillis(999).toSeconds();
    }

    /** What the end of the call means; it is logged. */
    public RetryDecision decide(CallEnd end) {
        countLostTime();
        return logged(policy().decide(end));
    }

    /** What it means that a filter has failed before the call, or reading the result after it; it is logged. */
    public RetryDecision threw(Throwable exception) {
        countLostTime();
        return logged(policy().threw(exception));
    }

    /** What it means that some of its sub-handlers are unfinished; it is logged. */
    public RetryDecision unfinished(Duration delay, boolean anew) {
        countLostTime();
        return logged(policy().unfinished(delay, anew));
    }

    private RetryDecision logged(RetryDecision decision) {
        // The log speaks of the parent; which of its children it was about has to be said.
        RetryDecision named = cause instanceof InvocationCause.OfChild ofChild
                ? decision.about(
                        "the child " + ObjectReference.of(ofChild.child()).describe())
                : decision;
        named.log(object.logger());
        return decision;
    }

    private RetryPolicy policy() {
        return RetryPolicy.of(
                handler, before, calls.platform().now(), calls.runner().defaultBackoff());
    }

    /** Adds to a patch what the call wants to change, and its result. */
    public void deliver(RetryDecision decision, PatchContent patch) {
        PatchContent wanted = own.handOver();
        HandlerResult.deliver(handler.id(), decision.outcome(), wanted);
        patch.add(handler.id(), wanted);
    }

    /** How far the handler has come by this attempt. */
    public ProgressRecord after(RetryDecision decision) {
        return decision.outcome().recordedAfter(before, calls.platform().now());
    }

    /** Where there can be no sub-handlers: in filters and in handlers of raw events. */
    public enum NoSubHandlers implements SubHandlers {
        /** The only one. */
        INSTANCE;

        @Override
        public void add(String id, Consumer<? super Options> options, Handler handler) {
            throw misplaced();
        }

        @Override
        public void addMethod(String method, @Nullable String id, @Nullable Object param) {
            throw misplaced();
        }

        @Override
        public void execute() {
            throw misplaced();
        }

        @Override
        public void execute(HandlerLifecycle lifecycle) {
            throw misplaced();
        }

        private static IllegalStateException misplaced() {
            return new IllegalStateException(
                    "sub-handlers are possible in handlers of changes only (creation, update, deletion,"
                            + " resuming, field), as nothing else remembers progress");
        }
    }
}
