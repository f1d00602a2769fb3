package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerRunner.WorkDuringCall;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cycle.ObjectMemory.HandlingMemory;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the calls of one cycle, and adds the patch and the result of each call to the cycle's patch, and its outcome to
 * the progress.
 *
 * <p>Under {@code inOrder} the calls are made in rounds. A round is what a cycle is under the lifecycle {@code asap}:
 * it makes one call, and leaves its records and its patch. The next round finds the object as if these had been written
 * and had come back, and nobody else had changed the object: cause, difference and selection are made anew from that
 * state. The requests in between are saved, and nothing else. The cycle ends if nobody can tell how {@code asap} would
 * go on, if the next cycle would have another reason or something else to do first, if no handler is due, and before
 * the second attempt of a handler, as attempts have to be stored. Under all other lifecycles there is one round.
 *
 * <p>Confined to the object's worker.
 */
final class HandlerRounds {
    /** By which clocks of machines in order do not differ. */
    private static final Duration ODD_DIFFERENCE = Duration.ofMinutes(1);

    private final ObjectCycle cycle;
    private final ObjectProcessor processor;
    private final ProgressCheckpoint checkpoint;
    private final ProgressState progress;
    private final HandlingMemory memory;
    private final RetryWaits waits;
    private final Platform platform;
    /** False if handlers are called for the start of the operator only. */
    private final boolean changed;
    /** The ids of the handlers that have made their attempt. */
    private final Set<String> called = new HashSet<>();

    private Start present;
    private RoundState round = RoundState.EMPTY;
    /** True if a handler could not be called, as an earlier call of it goes on although it was interrupted. */
    private boolean held;

    private boolean over;

    /** The first round begins. */
    HandlerRounds(ObjectCycle cycle, ProgressCheckpoint checkpoint, ProgressState progress, Start first) {
        this.cycle = cycle;
        this.processor = cycle.processor();
        this.checkpoint = checkpoint;
        this.progress = progress;
        this.memory = cycle.memory().handling();
        this.platform = processor.platform();
        this.waits = new RetryWaits(platform, cycle.memory().retryWaits());
        this.present = first;
        this.changed = !first.cause().change().diff().isEmpty();
    }

    /**
     * What a round begins with. Immutable.
     *
     * @param cause what happened to the object
     * @param selected the handlers that are concerned, whether they have ended or not
     * @param changes how often the change has become another one since the first round
     */
    record Start(InvocationCause.Changing cause, List<RegisteredHandler> selected, int changes) {}

    /** How far the present round has come. */
    private enum RoundState {
        /** It has made no call. */
        EMPTY,
        /** It has begun its first call. */
        CALLING,
        /** One of its calls has ended, and has left its records and its patch. */
        CALLED
    }

    /** What the last of the rounds has begun with. */
    Start present() {
        return present;
    }

    /** True if no other round can follow: another cycle has to begin at once. */
    boolean mustEnd() {
        return over;
    }

    /**
     * The time after the last round until a handler can be called again; zero if that can be at once, or if another
     * cycle has to begin with a newer state.
     */
    Duration untilNextCall() {
        if (over || checkpoint.isOvertaken()) {
            return Duration.ZERO;
        }
        Duration delay = delay(present.selected()).orElse(Duration.ZERO);
        Duration again = processor.calls().runner().lookAgainAfter();
        return held && delay.compareTo(again) < 0 ? again : delay;
    }

    /** True if the object does not exist any more, as far as a request has told. */
    boolean isObjectGone() {
        return cycle.isObjectGone();
    }

    /** True if there may be more than one. */
    boolean areJoined() {
        return processor.lifecycle().equals(HandlerLifecycle.IN_ORDER);
    }

    /** Calls those of the selected handlers that are due, as the lifecycle wants it. */
    void make() throws InterruptedException {
        checkpoint.writeForOneVersion(progress);
        if (checkpoint.isOvertaken()) {
            return;
        }
        if (!areJoined()) {
            callPlanned(planned(present.selected(), processor.lifecycle()), null, present.cause());
            return;
        }
        RegisteredHandler next = next(present.selected());
        while (next != null) {
            call(next, null, present.cause());
            boolean last = over || progress.isDone() || checkpoint.isOvertaken() || !othersMayFollow();
            if (last || !goOn() || progress.isDone()) {
                return;
            }
            next = next(present.selected());
        }
    }

    /** True if there is any handler left that could be called in this cycle. */
    private boolean othersMayFollow() {
        Reason reason = present.cause().reason();
        for (RegisteredHandler handler : processor.handlers().changes()) {
            if ((handler.reason() == null || handler.reason() == reason)
                    && !called.contains(handler.id())
                    && !progress.isFinished(handler)) {
                return true;
            }
        }
        return false;
    }

    /** The handler that {@code asap} would call next; null if it cannot be called in this cycle. */
    @Nullable RegisteredHandler next(List<RegisteredHandler> handlers) {
        List<RegisteredHandler> first = HandlerSelection.plan(
                HandlerLifecycle.ASAP,
                free(due(handlers)),
                this::attempts,
                platform.random(),
                checkpoint.found().body());
        return first.isEmpty() || called.contains(first.getFirst().id()) ? null : first.getFirst();
    }

    private List<RegisteredHandler> due(List<RegisteredHandler> handlers) {
        List<RegisteredHandler> due = progress.unfinished(handlers);
        due.removeIf(each -> !left(each).isZero());
        return due;
    }

    /** The time until the next of the handlers is due; empty if all are finished. */
    Optional<Duration> delay(List<RegisteredHandler> handlers) {
        return progress.unfinished(handlers).stream().map(this::left).min(Comparator.naturalOrder());
    }

    private Duration left(RegisteredHandler handler) {
        ProgressRecord record = progress.record(handler);
        Instant until = record.delayed();
        if (until == null) {
            return Duration.ZERO;
        }
        Instant now = platform.now();
        if (record.isAheadOf(now) && !waits.hasSeen(handler.id(), until)) {
            warnOfClock(handler, Objects.requireNonNull(record.started()), now, record.delay(now), until);
        }
        return waits.left(handler.id(), record);
    }

    private void warnOfClock(RegisteredHandler handler, Instant started, Instant now, Duration delay, Instant until) {
        if (Duration.between(now, started).compareTo(ODD_DIFFERENCE) > 0) {
            checkpoint
                    .stored()
                    .localLogger()
                    .warn(
                            "{} has begun at {} by its record, which is in the future: the clock of whoever wrote that was"
                                    + " ahead, or that of this machine is behind. It is called again in {}, and not at {}.",
                            handler,
                            started,
                            DurationText.format(
                                    Duration.ofSeconds(delay.plusMillis(999).toSeconds())),
                            until);
        }
    }

    /** A step has come that far; if it waits, it does from now on. */
    void put(String stepId, ProgressRecord record) {
        progress.put(stepId, record);
        var _ = waits.left(stepId, record);
    }

    /** A step begins: its record, which waits by the clock as it is set now. */
    ProgressRecord begun(String stepId, ProgressRecord record) {
        if (record.isFinished()) {
            return record;
        }
        Duration left = waits.left(stepId, record);
        if (!left.isZero()) {
            return record.waitingUntil(platform.now().plus(left));
        }
        waits.end(stepId);
        return record.calledAt(platform.now());
    }

    private List<RegisteredHandler> free(List<RegisteredHandler> due) {
        List<RegisteredHandler> free = new ArrayList<>(due);
        free.removeIf(this::isLeftBehind);
        held |= free.size() < due.size();
        return free;
    }

    /** True if an earlier call of the handler goes on although it was interrupted. */
    private boolean isLeftBehind(RegisteredHandler handler) {
        return processor.hasLeftBehind(cycle.memory(), handler);
    }

    /** Counts the calls of parents that are saved here: {@code asap} would make them. */
    private int attempts(RegisteredHandler handler) {
        return progress.record(handler).retries() + memory.savedCalls(handler);
    }

    /** Those of the handlers that are due and planned by the lifecycle, when a cycle begins. */
    List<RegisteredHandler> planned(List<RegisteredHandler> handlers, HandlerLifecycle lifecycle) {
        return HandlerSelection.plan(
                lifecycle,
                due(handlers),
                handler -> progress.record(handler).retries(),
                platform.random(),
                checkpoint.found().body());
    }

    /** Calls the planned handlers, one behind the other. */
    void callPlanned(
            List<RegisteredHandler> planned, @Nullable SubHandlerCalls siblings, InvocationCause.Changing cause)
            throws InterruptedException {
        for (RegisteredHandler handler : planned) {
            if (isLeftBehind(handler)) {
                held = true;
            } else if (!checkpoint.isOvertaken()) {
                call(handler, siblings, cause);
            }
        }
    }

    /**
     * Makes one attempt of one handler.
     *
     * @param siblings the calls of the sub-handlers of which it is one; null if it is no sub-handler
     */
    void call(RegisteredHandler handler, @Nullable SubHandlerCalls siblings, InvocationCause.Changing cause)
            throws InterruptedException {
        if (round == RoundState.EMPTY) {
            round = RoundState.CALLING;
        }
        waits.end(handler.id());
        PatchContent own = checkpoint.patchForCall();
        ResourceObject seen = checkpoint.preview();
        HandlerAttempt attempt =
                new HandlerAttempt(processor.calls(), handler, seen, cause, progress.record(handler), own);
        ProgressRecord before = attempt.before();
        SubHandlerCalls subHandlers = new SubHandlerCalls(this, siblings, handler, before, cause, own);
        ChangeSteps steps = new ChangeSteps(this, subHandlers, handler, seen.node());
        attempt.begin();
        RetryDecision refusal = attempt.refusal();
        RetryDecision decision = refusal == null ? decide(handler, attempt, subHandlers, steps) : refusal;
        boolean leavesPatch = !own.handOver().isEmpty();
        // A parent's call may outlast its round: the present one is still empty then, unless the call leaves it a
        // patch.
        if (round != RoundState.EMPTY || leavesPatch) {
            round = RoundState.CALLED;
        }
        steps.ended(decision.outcome());
        attempt.deliver(decision, checkpoint.addition());
        progress.add(
                handler, steps.remembered(attempt.before(), decision.outcome()), decision.outcome(), platform.now());
        if (siblings != null) {
            siblings.ended(decision.outcome());
        }
        if (!subHandlers.goOnLater()) {
            called.add(handler.id());
        }
        if (decision.outcome() instanceof Outcome.Succeeded) {
            checkpoint.succeeded();
        }
    }

    private RetryDecision decide(
            RegisteredHandler handler, HandlerAttempt attempt, SubHandlerCalls subHandlers, ChangeSteps steps)
            throws InterruptedException {
        ContextFactory contexts = processor
                .calls()
                .contexts()
                .with((handlerId, body) -> progress.recordOf(handlerId))
                .with(steps::of);
        WorkDuringCall work = new CheckpointsAndSubHandlers(handler, subHandlers, steps);
        CallEnd end;
        try {
            end = attempt.call(contexts, subHandlers.declared(), subHandlers.monitor(), work);
        } finally {
            steps.close();
            subHandlers.declared().close();
        }
        RetryDecision unfinished = subHandlers.finish(end, attempt);
        return unfinished == null ? attempt.decide(end) : unfinished;
    }

    /** While a call runs, its sub-handlers are called and its steps recorded on request; checkpoints are written. */
    private final class CheckpointsAndSubHandlers implements WorkDuringCall {
        private final RegisteredHandler handler;
        private final SubHandlerCalls subHandlers;
        private final ChangeSteps steps;
        /** Read and changed by the worker alone. */
        private boolean interrupted;

        CheckpointsAndSubHandlers(RegisteredHandler handler, SubHandlerCalls subHandlers, ChangeSteps steps) {
            this.handler = handler;
            this.subHandlers = subHandlers;
            this.steps = steps;
        }

        @Override
        public Deadline due() {
            return checkpoint.due();
        }

        @Override
        public boolean isRequested() {
            return steps.isRequested() || (!interrupted && subHandlers.isRequested());
        }

        @Override
        public void act() throws InterruptedException {
            if (interrupted) {
                steps.serve();
                return;
            }
            if (subHandlers.isRequested()) {
                subHandlers.call();
            }
            steps.serve();
            subHandlers.showParents();
            checkpoint.writeIfDue(progress, round == RoundState.CALLED);
        }

        @Override
        public void interrupted() {
            interrupted = true;
            steps.interrupted();
        }

        @Override
        public boolean isRecording() {
            return steps.areMade();
        }

        @Override
        public boolean abandoned(Task call) {
            processor.leaveBehind(cycle.memory(), handler, call);
            return true;
        }
    }

    /**
     * Ends the present round, unless it is empty, and begins the following one; false if that cannot be, and another
     * cycle has to follow.
     */
    boolean goOn() throws InterruptedException {
        if (round == RoundState.EMPTY) {
            return true;
        }
        @Nullable Start start = checkpoint.endRound(progress) ? following() : null;
        over = start == null;
        if (start != null) {
            present = start;
            progress.activate(start.selected(), platform.now());
            round = RoundState.EMPTY;
        }
        return !over;
    }

    /** What the following round begins with; null if a filter fails, or a cycle has to follow instead. */
    private @Nullable Start following() {
        try {
            return following(checkpoint.found());
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            Throwable told = Platform.tellable(e);
            checkpoint.stored().localLogger().debug("The filters have failed: {}", told, told);
            return null;
        }
    }

    private @Nullable Start following(ResourceObject found) {
        Cause.Handleable known = present.cause().cause();
        Change change = change(found, known.change());
        Cause cause = processor.stored().detector().detect(found.node(), false, known.initial(), change);
        boolean same = isSame(change, known.change());
        boolean goesOn = cause instanceof Cause.Handleable handleable
                && handleable.reason() == known.reason()
                && (same || processor.stored().refusal(found, handleable) == null)
                && cycle.wouldBeginWithHandlers(found, handleable);
        if (!goesOn) {
            return null;
        }
        InvocationCause.Changing next = same ? present.cause() : new InvocationCause.Changing((Cause.Handleable) cause);
        List<RegisteredHandler> selected = HandlerSelection.forChange(
                processor.handlers().changes(), found, next, processor.calls().contexts());
        if (selected.isEmpty()) {
            return null;
        }
        cycle.daemons().changeIsHandled(changed);
        return new Start(next, selected, present.changes() + (same ? 0 : 1));
    }

    /** The known change if it is still the same; then the last-handled state is not read again. */
    private Change change(ResourceObject found, Change known) {
        ObjectNode essence = processor.essenceOf(found.node());
        return JsonEquality.equal(essence, known.newEssence())
                ? known
                : memory.seenStates().sinceSeenState(processor.change(found.node()));
    }

    @SuppressWarnings("ReferenceEquality") // the question is whether there is another one, not what it says
    private static boolean isSame(Change change, Change known) {
        return change == known;
    }

    /** What those wait for that are left, to be remembered. */
    Map<String, RetryWait> waits() {
        return waits.left(progress, memory.subHandlerIds());
    }

    // For the calls of sub-handlers.

    ObjectProcessor processor() {
        return processor;
    }

    ProgressCheckpoint checkpoint() {
        return checkpoint;
    }

    ProgressState progress() {
        return progress;
    }

    HandlingMemory memory() {
        return memory;
    }

    /**
     * A handler or step that waits.
     *
     * @param until what its record says
     * @param due when it may be called
     */
    record RetryWait(Instant until, Deadline due) {}

    /**
     * How long handlers and steps wait for their next attempts. A record says it by the wall clock, which may be set
     * while they wait, or was another one when it was written: the wait goes on by the monotonic clock from the moment
     * at which it was seen first, and is over by then at the latest.
     */
    private static final class RetryWaits {
        private final Platform platform;
        private final Map<String, RetryWait> seen;

        RetryWaits(Platform platform, Map<String, RetryWait> known) {
            this.platform = platform;
            this.seen = new HashMap<>(known);
        }

        boolean hasSeen(String id, Instant until) {
            RetryWait wait = seen.get(id);
            return wait != null && wait.until.equals(until);
        }

        /** The time until the next attempt; zero if it may be made. */
        Duration left(String id, ProgressRecord record) {
            Instant until = record.delayed();
            Instant now = platform.now();
            if (until == null || !until.isAfter(now)) {
                return Duration.ZERO;
            }
            RetryWait wait = seen.get(id);
            if (wait == null || !wait.until.equals(until)) {
                wait = new RetryWait(until, platform.after(record.delay(now)));
                seen.put(id, wait);
            }
            Duration byWallClock = Duration.between(now, until);
            Duration left = wait.due.remaining(platform);
            return left.compareTo(byWallClock) < 0 ? left : byWallClock;
        }

        /** An attempt is made: the next wait is another one, even if it ends at the same time by the wall clock. */
        void end(String id) {
            seen.remove(id);
        }

        /** Those that are not over, as far as is known: what is below a handler is known when that is called. */
        Map<String, RetryWait> left(ProgressState progress, Set<String> below) {
            seen.entrySet().removeIf(entry -> {
                ProgressRecord record = progress.recordOf(entry.getKey());
                return record == null
                        ? !below.contains(entry.getKey())
                        : record.isFinished() || !entry.getValue().until.equals(record.delayed());
            });
            return Map.copyOf(seen);
        }
    }
}
