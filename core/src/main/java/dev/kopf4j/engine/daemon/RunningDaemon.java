package dev.kopf4j.engine.daemon;

import dev.kopf4j.BindingException;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.StopReason;
import dev.kopf4j.Stopped;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.DeclaredOptions.InitialDelay;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.node.ObjectNode;

/**
 * One daemon or timer of one object, from its start to its end: it waits in the schedule or for a change of the object,
 * makes an attempt, and waits again.
 *
 * <p>Guarded by the monitor of the object's daemons: all methods are called under it, unless they say otherwise.
 */
final class RunningDaemon implements Runnable {
    private enum Phase {
        WAITING,
        BUSY,
        ENDED
    }

    private final DaemonEnvironment environment;
    private final ObjectDaemons owner;
    private final LiveObject object;
    private final Monitor monitor;
    private final RegisteredHandler handler;
    private Phase phase = Phase.WAITING;

    /** Null unless it waits for a moment. */
    private @Nullable ScheduledAction nextCall;

    private @Nullable DaemonAttempt daemonAttempt;

    /**
     * Threads that the user's code has started may wait for it, so all attempts of a daemon have the same one; null
     * before the first attempt.
     */
    private @Nullable StopSignal signal;

    private @Nullable ProgressRecord record;
    private @Nullable DaemonStopping daemonStopping;
    private boolean abandoned;
    private boolean makesSteps;
    private boolean makesUndoable;
    private boolean beginsNoSteps;
    /** How many attempts in a row were broken. */
    private int brokenInRow;
    /** False once an attempt has found that none of its steps are recorded. Confined to the attempts, one by one. */
    private volatile boolean mayHaveSteps = true;

    /** The state of the object that did not fit its types, so that it has ended; null if it was not that. */
    private @Nullable Supplier<ObjectNode> misfit;

    /** True while no call may begin, as somebody has paused the object. */
    private boolean heldBack;
    /** When the call was due that is held back; null if none is. */
    private @Nullable Deadline heldCall;

    /** True if somebody has asked for the next call: it does not wait for the idle time. */
    private boolean askedFor;

    /**
     * One that has not begun.
     *
     * @param owner starts it, and is told how it goes on
     */
    RunningDaemon(
            DaemonEnvironment environment,
            ObjectDaemons owner,
            LiveObject object,
            Monitor monitor,
            RegisteredHandler handler) {
        this.environment = environment;
        this.owner = owner;
        this.object = object;
        this.monitor = monitor;
        this.handler = handler;
    }

    RegisteredHandler handler() {
        return handler;
    }

    LiveObject object() {
        return object;
    }

    Monitor monitor() {
        return monitor;
    }

    /** Begins, with the initial delay. */
    void start() {
        switch (options().initialDelay()) {
            case null -> awaitCall(environment.now());
            case InitialDelay.Fixed(Duration delay) -> awaitCall(environment.after(delay));
            case InitialDelay.Computed(var function) -> {
                phase = Phase.BUSY;
                var _ = environment.platform().spawn("initial delay of " + name(), () -> awaitComputed(function));
            }
        }
    }

    /** In a task of its own, not under the monitor: calls the user's code. */
    private void awaitComputed(Function<? super HandlerContext, @Nullable Duration> initialDelay) {
        try {
            Duration computed = compute(initialDelay, object.live());
            Duration delay = computed == null || computed.isNegative() ? Duration.ZERO : computed;
            monitor.locked(() -> {
                if (daemonStopping == null) {
                    awaitCall(environment.after(delay));
                } else {
                    end();
                }
            });
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            monitor.locked(() -> {
                if (e instanceof BindingException) {
                    misfit();
                }
                end();
            });
            // Only now: whatever comes of it, the object does not wait for the daemon.
            Throwable told = Platform.tellable(e);
            object.live()
                    .logger()
                    .error("{} is not started, as its initial delay cannot be told: {}", handler, told, told);
        }
    }

    private @Nullable Duration compute(
            Function<? super HandlerContext, @Nullable Duration> initialDelay, ResourceObject live) throws Exception {
        HandlerContext context = environment
                .calls()
                .contexts()
                .forFilters(handler, live, new InvocationCause.Spawning(live::node, null))
                .get();
        return CurrentHandlerContext.callWithContext(context, () -> initialDelay.apply(context));
    }

    private void awaitCall(Deadline due) {
        phase = Phase.WAITING;
        nextCall = environment.actionSchedule().at(due, this);
    }

    /** In the schedule's task, not under the monitor: makes the call, unless it waits for another moment by now. */
    @Override
    public void run() {
        monitor.locked(this::callIfDue);
    }

    private void callIfDue() {
        Deadline due = nextCall == null ? Deadline.NEVER : nextCall.deadline();
        if (environment.hasPassed(due)) {
            Deadline notBefore = notBefore(due);
            if (heldBack) {
                heldCall = due;
                nextCall = null;
            } else if (askedFor || environment.hasPassed(notBefore)) {
                call(due);
            } else {
                awaitCall(notBefore);
            }
        }
    }

    private Deadline notBefore(Deadline due) {
        return TimerSchedule.of(handler).notBefore(due, owner.changedAt());
    }

    private void call(Deadline due) {
        phase = Phase.BUSY;
        askedFor = false;
        nextCall = null;
        StopSignal known = signal == null ? new StopSignal(environment.platform()) : signal;
        signal = known;
        daemonAttempt = new DaemonAttempt(this, environment, known, due, owner.changes(), record);
        daemonAttempt.start();
    }

    /** No call begins before it is {@linkplain #letGo let go}. */
    void holdBack() {
        heldBack = true;
    }

    /** Makes the call that was held back. */
    void letGo() {
        heldBack = false;
        if (heldCall != null) {
            Deadline due = heldCall;
            heldCall = null;
            awaitCall(due);
        }
    }

    /** True if the last call has failed, and it waits for another attempt. */
    boolean hasFailed() {
        return phase == Phase.WAITING && record != null;
    }

    /** Tells people what it is doing. */
    ObjectNode told() {
        ObjectNode told = Json.object();
        told.put("id", handler.id()).put("kind", handler.kind().name().toLowerCase(Locale.ROOT));
        Deadline next = nextCall == null ? heldCall : nextCall.deadline();
        if (phase != Phase.WAITING) {
            told.put("state", abandoned ? "abandoned" : daemonStopping == null ? "working" : "stopping");
        } else if (next == null) {
            told.put("state", "waiting for a change");
        } else {
            Platform platform = environment.platform();
            told.put("state", heldBack ? "paused" : "waiting");
            told.put("next", KubernetesTimestamps.format(platform.now().plus(next.remaining(platform))));
        }
        if (record != null) {
            told.put("attempt", record.retries() + 1).put("message", record.message());
        }
        return told;
    }

    /**
     * Makes the next call now, whatever the object's idle time, as the first attempt; false if it is at work, or has
     * ended.
     */
    boolean callNow() {
        if (phase != Phase.WAITING) {
            return false;
        }
        record = null;
        askedFor = true;
        if (nextCall != null) {
            nextCall.cancel();
        }
        awaitCall(environment.now());
        return true;
    }

    /** The object has changed. */
    void changed() {
        if (phase == Phase.WAITING && nextCall == null && heldCall == null) {
            awaitCall(notBefore(environment.now()));
        }
    }

    /**
     * An attempt has come to its end, and its changes are written.
     *
     * @param outcome null if it was stopped by force, so that its end means nothing
     * @param next how far the handler has come; null to begin anew
     */
    void attemptEnded(DaemonAttempt ended, @Nullable Outcome outcome, @Nullable ProgressRecord next) {
        daemonAttempt = null;
        record = next;
        brokenInRow = 0;
        if (handler.kind() == HandlerKind.TIMER) {
            // A timer that waits keeps no signal in memory: each call has its own.
            signal(Set.of(StopReason.DONE));
            signal = null;
        }
        object.rest();
        if (outcome instanceof Outcome.Failed) {
            owner.failed(handler);
        }
        TimerSchedule.NextCall then = outcome == null ? new TimerSchedule.NextCall.End() : next(ended, outcome);
        if (then instanceof TimerSchedule.NextCall.End && !ended.wasAsked() && misfit == null) {
            // It has ended by itself, even if it was asked to stop while its changes were written.
            owner.endsByItself(handler);
        }
        if (daemonStopping != null || abandoned) {
            end();
            return;
        }
        switch (then) {
            case TimerSchedule.NextCall.At(Deadline at) -> awaitCall(at);
            case TimerSchedule.NextCall.AfterChange() -> phase = Phase.WAITING;
            case TimerSchedule.NextCall.End() -> end();
        }
    }

    /** It ends, as the object does not fit its types: it may do so when it has changed. */
    void misfit() {
        misfit = object.bodySnapshot();
    }

    /** The state of the object that did not fit, so that it has ended; null if it was not that. */
    @Nullable Supplier<ObjectNode> unfitState() {
        return misfit;
    }

    /**
     * An attempt could not be brought to its end: another one follows, as if it had not been made.
     *
     * @return the pause before that
     */
    @SuppressWarnings("ReferenceEquality") // that very attempt
    Duration attemptBroken(DaemonAttempt broken, String message) {
        Duration pause = environment.retryDelay().apply(brokenInRow);
        if (daemonAttempt == broken) {
            int before = brokenInRow;
            attemptEnded(broken, new Outcome.Retry(pause, message), record);
            brokenInRow = before + 1;
        }
        return pause;
    }

    private TimerSchedule.NextCall next(DaemonAttempt ended, Outcome outcome) {
        boolean changed = owner.changes() != ended.changesBefore();
        return TimerSchedule.of(handler).after(outcome, ended.due(), environment.now(), changed);
    }

    /** Asks it to stop; if it only waits, it has ended when this returns. */
    void stop(StopReason reason) {
        if (phase == Phase.ENDED) {
            return;
        }
        if (daemonStopping == null) {
            daemonStopping = new DaemonStopping(this, environment);
        }
        daemonStopping.add(reason);
        if (phase == Phase.WAITING) {
            end();
        } else {
            daemonStopping.begin();
        }
    }

    /** Why it is to stop; empty if it is not. */
    Set<StopReason> stopReasons() {
        return daemonStopping == null ? Set.of() : daemonStopping.reasons();
    }

    /** When its stopping comes to the last stage; now, if nobody has asked it to stop. */
    Deadline lastStage(Deadline now) {
        return daemonStopping == null ? now : daemonStopping.end();
    }

    /** What it is doing; null while it waits. */
    @Nullable DaemonAttempt daemonAttempt() {
        return daemonAttempt;
    }

    /** Interrupts whatever it is doing. */
    void interrupt() {
        if (daemonAttempt != null) {
            daemonAttempt.interrupt();
        }
    }

    /** It goes on, but nobody waits for it any more; it is not started again before it has ended. */
    void abandon() {
        abandoned = true;
        if (daemonAttempt != null) {
            daemonAttempt.endWatch();
        }
        if (daemonStopping == null) {
            owner.endsByItself(handler);
        }
        owner.holdsLess();
    }

    /** Abandons it if it was asked to stop, and has not ended; returns what to report, not under the monitor. */
    Runnable abandonIfLate() {
        return daemonStopping == null || !isRunning() ? () -> {} : daemonStopping.abandon();
    }

    /** True until it has ended or was abandoned. */
    boolean isRunning() {
        return phase != Phase.ENDED && !abandoned;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    boolean mayHaveSteps() {
        return mayHaveSteps;
    }

    void mayHaveSteps(boolean value) {
        mayHaveSteps = value;
    }

    /** The operator pauses or ends: others may act on the object, so no step begins from now on. */
    void beginNoSteps() {
        beginsNoSteps |= daemonStopping != null;
    }

    /**
     * Begins to make steps.
     *
     * @param undoable true if some of them can be taken back
     * @return why they must not begin; null if they do
     */
    @Nullable String beginSteps(boolean undoable) {
        if (beginsNoSteps) {
            return "the operator pauses or ends: no step begins any more";
        }
        if (undoable && stopReasons().contains(StopReason.RESOURCE_DELETED)) {
            return "the object is being deleted: no step begins that would have to be taken back";
        }
        makesSteps = true;
        makesUndoable = undoable;
        return null;
    }

    /** These steps have ended, and their ends are recorded. */
    void endSteps() {
        makesSteps = false;
        makesUndoable = false;
        if (isRunning() && stopReasons().contains(StopReason.RESOURCE_DELETED)) {
            owner.holdsLess();
        }
    }

    /** True while steps are made, or their ends are recorded. */
    boolean makesSteps() {
        return makesSteps;
    }

    /** True while steps are made that can be taken back, and somebody waits for them. */
    boolean makesUndoable() {
        return makesUndoable && isRunning();
    }

    /** True if the object is being deleted, and waits for what is written now. */
    boolean holdsDeletion() {
        Set<StopReason> reasons = stopReasons();
        return makesUndoable()
                && reasons.contains(StopReason.RESOURCE_DELETED)
                && !reasons.contains(StopReason.OPERATOR_EXITING);
    }

    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** Tells the user's code why it should stop. */
    void signal(Set<StopReason> reasons) {
        if (signal != null) {
            signal.set(reasons);
        }
    }

    private void end() {
        phase = Phase.ENDED;
        daemonAttempt = null;
        signal(Set.of(StopReason.DONE));
        if (nextCall != null) {
            nextCall.cancel();
            nextCall = null;
        }
        // In the words of Kopf: after a mismatch of filters or a pause, another one may be started.
        String how = daemonStopping == null ? "on its own" : "on request";
        logger().debug("{} has exited {} and will not be retried or restarted.", handler, how);
        owner.ended(this);
    }

    /** The logger for messages of the framework, which are not posted as events. */
    Logger logger() {
        return object.live().localLogger();
    }

    DeclaredOptions options() {
        return handler.options();
    }

    /** For tasks: {@code watch@default/x}. */
    String name() {
        return handler.id() + "@" + object.reference();
    }

    /** Tells the user's code that it should stop. Thread-safe. */
    static final class StopSignal implements Stopped {
        private final Platform platform;
        private final Monitor monitor;
        private volatile Set<StopReason> reasons = Set.of();

        StopSignal(Platform platform) {
            this.platform = platform;
            this.monitor = platform.monitor();
        }

        /** Gives reasons, besides those that were given before. */
        void set(Set<StopReason> more) {
            monitor.locked(() -> {
                EnumSet<StopReason> all = EnumSet.copyOf(more);
                all.addAll(reasons);
                reasons = java.util.Collections.unmodifiableSet(all);
            });
        }

        @Override
        public boolean isSet() {
            return !reasons.isEmpty();
        }

        @Override
        public boolean await(Duration timeout) throws InterruptedException {
            return monitor.await(this::sign, platform.after(timeout)).isPresent();
        }

        @Override
        public void await() throws InterruptedException {
            var _ = monitor.await(this::sign, Deadline.NEVER);
        }

        /** An attempt to see the signal, for which a daemon waits as long as it lives; empty while it may go on. */
        private Optional<Set<StopReason>> sign() {
            return Optional.of(reasons).filter(given -> !given.isEmpty());
        }

        @Override
        public Set<StopReason> reasons() {
            return reasons;
        }
    }
}
