package dev.kopf4j.engine.cycle;

import dev.kopf4j.Reason;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.cycle.FinalizerDecision.LiveNeeds;
import dev.kopf4j.engine.cycle.FinalizerDecision.Situation;
import dev.kopf4j.engine.cycle.ObjectProcessor.CycleResult;
import dev.kopf4j.engine.cycle.ObjectProcessor.CycleTrigger;
import dev.kopf4j.engine.cycle.ObjectProcessor.ForeignInterruptException;
import dev.kopf4j.engine.cycle.ObjectProcessor.ObjectWakeUp;
import dev.kopf4j.engine.cycle.OperatorCycles.UnpackedStates;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.engine.cycle.OutgoingPatch.StateDroppedException;
import dev.kopf4j.engine.cycle.PatchSender.StaleVersionException;
import dev.kopf4j.engine.cycle.Repetition.Fight;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorStep.Decision;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonLimits;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One cycle of one object after its indexing: event handlers, cause, consistency, finalizer, daemons and timers, change
 * handlers, children, and one patch at the end. {@link #steps} has the order. Confined to the object's worker; used
 * once.
 */
final class ObjectCycle {
    /** What a server answers that has no time or no storage, whatever is asked for. */
    private static final Set<Integer> SERVER_IS_BUSY = Set.of(503, 504);

    /** Far more than people write, and far fewer than fill a stack. */
    private static final int LEVELS_OF_COMMON_OBJECTS = 200;

    private static final JsonDiff UNKNOWN = new JsonDiff(List.of());

    private final ObjectProcessor processor;
    private final ObjectMemory memory;
    private final ResourceObject object;
    private final CycleTrigger trigger;
    private final boolean newerKnown;
    private final OutgoingPatch outgoing;
    private final FinalizerDecision finalizer;
    private final CycleDaemons daemons;
    /** The newest known state. */
    private ObjectNode newest;
    /** When the next cycle is due, unless an event comes first; null for never. */
    private @Nullable Deadline wakeUp;

    private boolean handled;
    /** True if the change concerns handlers, which may have been called. */
    private boolean callsHandlers;
    /** True if somebody wants handlers to be called again once the present change is handled. */
    private boolean retryWaits;

    private boolean sentFirst;
    private boolean creationIsHandled;
    private boolean addsFinalizer;
    private boolean isOwnUpdate;
    private boolean madeByOperator;
    private @Nullable ObjectNode handledEssence;

    ObjectCycle(ObjectProcessor processor, ObjectMemory memory, CycleTrigger trigger) {
        this.processor = processor;
        this.memory = memory;
        this.trigger = trigger;
        this.object = processor.objects(memory).apply(new BodyView(trigger.body()));
        processor.consistencyCheck().skipNothing(memory);
        CompactBody kept = memory.rememberedBody();
        this.newerKnown = kept != null && ResourceVersions.isOlder(ResourceVersions.of(object.node()), kept.version());
        this.newest = kept != null && newerKnown ? kept.parse() : object.node();
        this.outgoing = new OutgoingPatch(this);
        this.daemons = new CycleDaemons(this);
        this.finalizer = new FinalizerDecision(
                new LiveNeeds(processor, memory, daemons), processor.stored().finalizer());
    }

    /**
     * Runs the cycle. An object with unexpected errors is throttled, and holds up nobody else.
     *
     * @throws InterruptedException if the operator stops
     * @throws StackOverflowError if the object is nested too deeply to be processed
     */
    CycleResult run(ObjectWakeUp worker) throws InterruptedException {
        try {
            CycleResult result = steps(worker);
            processor.throttling().end(memory, object);
            return result;
        } catch (LeadershipLostException e) {
            // The new leader will handle the object; everything that is left here is about to be dropped.
            if (callsHandlers && !outgoing.content().isEmpty()) {
                processor.throttling().writes().dropped(object.localLogger(), e);
            } else {
                object.localLogger().debug("The handling is given up: {}", e.getMessage());
            }
            return idle();
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            if (trigger.isGone()) {
                object.localLogger()
                        .error(
                                Platform.UNEXPECTED,
                                "The deletion was not processed in full, due to an unexpected error.",
                                Platform.tellable(e));
                return forget();
            }
            if (e instanceof StackOverflowError overflow && (isDeep(object.node()) || isDeep(newest))) {
                // Another attempt would end in the same way: the object has more levels than the stack has room for.
                throw overflow;
            }
            if (e instanceof StateDroppedException) {
                tellOfRefusal(String.valueOf(e.getMessage()));
            }
            boolean kept = e instanceof ClientException
                    || e instanceof StateDroppedException
                    || e instanceof ForeignInterruptException
                    || outgoing.hasUnsentFromBefore();
            if (kept && !(e instanceof StaleVersionException)) {
                // What the handlers have achieved is kept: it is sent first next time, and they are not called again
                // for it. What they want for a former version only can never be sent: they are called for the newest.
                outgoing.postpone();
            }
            memory.rememberBody(newest);
            Duration delay = e instanceof ClientException failure && isNobodysFault(failure)
                    ? processor
                            .throttling()
                            .awaitServer(object, failure, processor.platform().random())
                    : processor.throttling().begin(memory, object, e);
            tell(new OperatorStep.CycleFailed(processor.resource(), memory.reference(), e, delay));
            if (delay.isZero() && !memory.hasUnsentPatch()) {
                // Without throttling, the next event goes on; to go on at once would be to fail without end.
                return new CycleResult.Idle();
            }
            return new CycleResult.Throttled(processor
                    .platform()
                    .after(delay.isZero() ? processor.throttling().delayAfterConflict(0) : delay));
        }
    }

    /** True if the object may have more levels than fit into a stack; else other code calls itself without an end. */
    private static boolean isDeep(JsonNode tree) {
        List<JsonNode> level = List.of(tree);
        for (int depth = 0; depth < LEVELS_OF_COMMON_OBJECTS && !level.isEmpty(); depth++) {
            level = level.stream().flatMap(JsonNode::valueStream).toList();
        }
        return !level.isEmpty();
    }

    /** True if the server could not be reached, or has refused everybody: that says nothing about the object. */
    private static boolean isNobodysFault(ClientException failure) {
        return failure.mayMeetAll()
                && !(failure instanceof ServerErrorException error && !SERVER_IS_BUSY.contains(error.status()));
    }

    private CycleResult steps(ObjectWakeUp worker) throws InterruptedException {
        try {
            return steps();
        } catch (InterruptedException e) {
            if (worker.isInterrupted()) {
                throw e;
            }
            throw new ForeignInterruptException(e);
        }
    }

    private CycleResult steps() throws InterruptedException {
        if (trigger instanceof CycleTrigger.WakeUp && outgoing.isRefreshNeeded()) {
            // The unsent patch met a newer state: the next cycle begins with the object as the server has it.
            if (memory.stream().isHeldUp()) {
                outgoing.refreshLater();
            } else {
                decided(Decision.ASK_STATE);
                outgoing.refresh();
            }
            return result();
        }
        if (!trigger.isGone() && obeysPause()) {
            decided(Decision.PAUSED);
            var _ = outgoing.send();
            memory.forgetHandlingIfEmpty();
            return result();
        }
        callEventHandlers();
        if (!processor.handlers().handlesStates() || trigger.outdated()) {
            return conclude();
        }
        if (isObjectGone() && !trigger.isGone()) {
            decided(Decision.AWAIT_DELETED);
            return conclude();
        }
        // They need no room, which others may have for long.
        daemons.stopIfDeleted();
        try (UnpackedStates.Share _ = roomForHandledState()) {
            processChange();
            return conclude();
        }
    }

    private UnpackedStates.Share roomForHandledState() throws InterruptedException {
        long bytes = processor.stored().unpackedBytes(object.node());
        return processor
                .cycles()
                .unpacked()
                .take(
                        bytes,
                        () -> JsonLimits.treeBytes(Json.bytes(object.node())),
                        () -> object.localLogger()
                                .info(
                                        "The handling waits, as the compressed last-handled state would take about {} MB of memory,"
                                                + " which others have.",
                                        bytes / 1_000_000));
    }

    private CycleResult conclude() throws InterruptedException {
        if (trigger.isGone()) {
            return forget();
        }
        FinalizerDecision.tellIfLeftAlone(processor, object);
        boolean sent = outgoing.send() || sentFirst;
        if (creationIsHandled) {
            memory.creationIsStored();
        }
        if (processor.stored().finalizer().isOn(newest)) {
            memory.hasFinalizer(true);
        } else if (addsFinalizer && !isObjectGone() && !outgoing.isRefreshNeeded()) {
            // Admission has taken it off: no event will come of that.
            memory.hasFinalizer(true);
            wakeAfter(Duration.ZERO);
        }
        if (handled && !sent && wakeUp == null) {
            object.localLogger().debug("Handling cycle is finished, waiting for new changes.");
        }
        memory.forgetHandlingIfEmpty();
        return skipsOwnChange() ? idle() : result();
    }

    /**
     * Holds daemons and timers back if somebody has paused the object, and lets them go if not. The pause is
     * acknowledged on the object, and so is its end, unless handlers of events are all there is, and write nothing:
     * then the operator need not have the right to.
     *
     * @return true if the object is paused: nothing begins, but what has ended is written
     */
    private boolean obeysPause() {
        Interventions interventions = processor.interventions();
        Interventions.Pause pause = interventions.pause(newest);
        boolean paused = pause.holds(newest);
        if (paused) {
            daemons.holdBack();
        }
        boolean writes = processor.handlers().writesObjects();
        Interventions.Pause acknowledged = writes ? interventions.acknowledgedPause(newest) : memory.toldPause();
        if (!trigger.outdated() && pause != acknowledged && (paused || pause == Interventions.Pause.NONE)) {
            if (writes) {
                interventions.acknowledge(pause, newest, outgoing.content().merge());
                sayInConditions(pause);
            } else {
                memory.toldPause(pause);
            }
            tellOfPause(pause, acknowledged);
        }
        if (!paused && !DeletionState.isRequested(newest)) {
            // Those of an object in deletion are stopped: none of them begins for that.
            daemons.letGo();
        }
        return paused;
    }

    /** Where the conditions of the object tell how its children are, they tell of a pause, too. */
    private void sayInConditions(Interventions.Pause pause) {
        boolean told = processor.handlers().children().stream()
                .anyMatch(handler -> !handler.options().condition().isEmpty());
        if (told) {
            boolean paused = pause != Interventions.Pause.NONE;
            ConditionChange change = ConditionChange.of(
                    "Paused",
                    paused ? "True" : "False",
                    paused ? "PausedByAnnotation" : "NotPaused",
                    "",
                    object.with(newest).observableGeneration(),
                    processor.platform().now());
            boolean _ = outgoing.content().say(change, newest);
        }
    }

    private void tellOfPause(Interventions.Pause pause, Interventions.Pause before) {
        boolean paused = pause != Interventions.Pause.NONE;
        String message = switch (pause) {
            case NONE -> "The handling goes on: the annotation that paused it is gone.";
            case HANDLERS ->
                "The handling is paused by an annotation: no handler, timer or daemon begins; a deletion goes" + " on.";
            case ALL ->
                "The handling is paused by an annotation: no handler, timer or daemon begins, and a deletion"
                        + " waits.";
        };
        object.localLogger().info("{}", message);
        processor.post(ObjectEvent.info(object.reference(), paused ? "Paused" : "Resumed", message));
        if (paused != (before != Interventions.Pause.NONE)) {
            tell(new OperatorStep.HandlingPaused(processor.resource(), memory.reference(), paused));
        }
    }

    private CycleResult forget() {
        memory.objectGone(processor.memos());
        return new CycleResult.Forget();
    }

    /** Each of them is called once for each event, without progress. */
    private void callEventHandlers() throws InterruptedException {
        if (trigger instanceof CycleTrigger.Event(var event, var _)) {
            HandlerCalls calls = processor.calls();
            ResourceObject local = object.local();
            InvocationCause.Watching cause = new InvocationCause.Watching(event);
            List<RegisteredHandler> handlers = processor.handlers().events();
            for (RegisteredHandler each :
                    HandlerSelection.concerned(handlers, local, cause, calls.contexts(), HandlerSelection::failing)) {
                calls.leftBehind().awaitEnd(local, each);
                PatchContent patch = outgoing.content();
                RetryDecision _ = calls.attempt(each, local, cause, calls.freshRecord(), patch)
                        .makeInto(patch);
            }
        }
    }

    private void processChange() throws InterruptedException {
        boolean gone = trigger.isGone();
        // The change since the object was last handled, or since the state that its handlers have seen.
        Change sinceHandled = processor.change(object.node());
        boolean recorded = sinceHandled.oldEssence() != null;
        if (!recorded && !gone) {
            outgoing.requireRecord();
        }
        daemons.expectTheirVersion();
        if (memory.hasFailed()) {
            memory.seesHandled(
                    sinceHandled.oldEssence(), processor.interventions().followedRetry(object.node()));
        }
        Change change = memory.sinceSeenState(sinceHandled);
        memory.recallSeen(
                processor.interventions().seen(object.node()),
                change,
                processor.handlers().changes());
        Situation situation = Situation.of(processor, memory, object, gone, change);
        if (!gone && !makesReady(situation)) {
            return;
        }
        if (recorded && !gone) {
            processor.consistencyCheck().noteRecord(memory);
        }
        if (situation.concernsHandlers()) {
            handle(situation.cause());
        } else {
            decided(situation.cause(), Decision.NOT_CONCERNED, List.of());
        }
        if (!gone && !outgoing.hasUnsentFromBefore()) {
            handleChildren();
        }
    }

    /** An update that somebody has made alone, or that nothing has changed, ends a row of updates by own writing. */
    private void noteRepetitions(Reason reason) {
        isOwnUpdate = reason == Reason.UPDATE
                && (madeByOperator
                        || (trigger instanceof CycleTrigger.WakeUp && memory.waits(Fight.CHANGED_WITH_WRITING)));
        if (!isOwnUpdate) {
            memory.forget(Fight.CHANGED_WITH_WRITING);
        }
        if (reason != Reason.CREATE) {
            memory.isInOrder(Fight.STATE_REMOVED, processor.platform());
        }
    }

    /**
     * Prepares the handling: follows a retry that somebody wants, stops daemons and timers that match no more, changes
     * the finalizer, and starts those that match.
     *
     * @return false if no handler of changes may be called in this cycle: the state is not the newest one, or the retry
     *     or the finalizer is to be written first
     */
    private boolean makesReady(Situation situation) throws InterruptedException {
        madeByOperator = processor.consistencyCheck().isMadeByLastCycle(memory, object.node());
        if (awaitsNewer(situation)) {
            decided(situation.cause(), Decision.AWAIT_NEWER, List.of());
            return false;
        }
        noteRepetitions(situation.cause().reason());
        if (followsRetry(situation)) {
            decided(situation.cause(), Decision.RETRY, List.of());
            return false;
        }
        daemons.stopMismatching();
        boolean finalizerIsOn = processor.stored().finalizer().isOn(object.node());
        PatchTransformation finalizerChange = finalizer.neededChange(situation);
        if (finalizerChange != null) {
            if (!finalizerIsOn
                    && memory.hadFinalizer()
                    && processor.consistencyCheck().knowsOwnWriting()
                    && waits(Fight.FINALIZER_REMOVED, situation.cause())) {
                return false;
            }
            // Everything else waits for the next cycle.
            decided(situation.cause(), Decision.CHANGE_FINALIZER, List.of());
            if (finalizerIsOn && memory.reportsStepsLeft()) {
                tellOfStepsLeft();
            }
            memory.hasFinalizer(false);
            addsFinalizer = !finalizerIsOn;
            outgoing.changeFinalizer(finalizerChange);
            return false;
        }
        memory.finalizerIsAsNeeded();
        memory.hasFinalizer(finalizerIsOn);
        memory.isInOrder(Fight.FINALIZER_REMOVED, processor.platform());
        daemons.startMatching();
        return true;
    }

    /**
     * Lets wait what is to be done again, as somebody has undone it: that follows each writing of the operator, so that
     * the two would go on without end and without a pause.
     */
    private boolean waits(Fight fight, Cause cause) {
        Repetition repetition = memory.repetition(fight);
        ObjectThrottling throttling = processor.throttling();
        OptionalInt begun = repetition.begins(processor.platform(), earlier -> fight.delay(earlier, throttling));
        Duration left = repetition.left(processor.platform());
        if (left.isZero()) {
            return false;
        }
        if (begun.isPresent() && fight.isToldAgain(begun.getAsInt())) {
            String wait =
                    DurationText.format(Duration.ofSeconds(left.plusMillis(999).toSeconds()));
            object.localLogger().warn("{} in {}.", fight.trouble(), wait);
            processor.post(
                    ObjectEvent.warning(object.reference(), fight.reason(), fight.trouble() + " after a pause."));
        }
        decided(cause, Decision.AWAIT_REPETITION, List.of());
        wakeAfter(left);
        return true;
    }

    /**
     * If somebody wants handlers to be called again, notes so in what is stored on the object and in what is remembered
     * of it.
     *
     * @return true if handlers of changes have to wait for the next cycle, as this has been done, or will be done then;
     *     false if nobody wants that, or the present change is handled first
     */
    private boolean followsRetry(Situation situation) {
        RetryRequest request = processor.interventions().retry(object.node());
        if (request == null) {
            return false;
        }
        RequestedRetry retry = retry(request);
        retryWaits = retry.waitsFor(situation.cause(), situation.concernsHandlers()) || isUndoneUnseen(situation);
        if (retryWaits) {
            return false;
        }
        if (outgoing.hasUnsentFromBefore()) {
            wakeAfter(Duration.ZERO);
        } else {
            follow(retry, situation.cause());
        }
        return true;
    }

    /** True if handlers have not seen yet that a change was undone: they are called for that first. */
    private boolean isUndoneUnseen(Situation situation) {
        return situation.concernsHandlers()
                && situation.cause() instanceof Cause.Informational(Reason reason, Change change)
                && reason == Reason.NOOP
                && memory.hasSeenStates()
                && memory.handling()
                        .seenStates()
                        .earlierThan(change.newEssence())
                        .isPresent();
    }

    private RequestedRetry retry(RetryRequest request) {
        return new RequestedRetry(
                processor.stored(),
                processor.handlers(),
                memory.failures(),
                object,
                request,
                outgoing.content().merge(),
                processor.platform().now());
    }

    private void follow(RequestedRetry retry, Cause cause) {
        if (!retry.followInStored(cause)) {
            return;
        }
        retry.followIn(memory, processor.children());
        memory.forgetStored();
        String message = retry.told();
        object.localLogger().info("{}", message);
        processor.post(ObjectEvent.info(object.reference(), "RetryRequested", message));
    }

    /**
     * Sees to it that another cycle follows, even if the newer state does not come that is known; but not for an object
     * that concerns nobody.
     *
     * @return true if there is such a state, which has to be seen first
     */
    private boolean awaitsNewer(Situation situation) {
        boolean concerned = situation.concernsHandlers()
                || daemons.anyHolds()
                || !daemons.wanted().isEmpty()
                || childrenAreDisturbed();
        ConsistencyCheck.Freshness freshness =
                processor.consistencyCheck().freshnessOf(memory, object.node(), trigger instanceof CycleTrigger.Event);
        if (freshness == ConsistencyCheck.Freshness.NEWEST) {
            return false;
        }
        if (newerKnown || concerned || processor.stored().finalizer().isOn(object.node())) {
            if (!newerKnown && freshness == ConsistencyCheck.Freshness.OVERDUE) {
                memory.unsentPatch().needRefresh();
            }
            wakeUp = processor.consistencyCheck().expectedUntil(memory);
        }
        return true;
    }

    /** Runs the change handlers for the cause, or only takes note of what happened. */
    private void handle(Cause cause) throws InterruptedException {
        if (cause.reason() != Reason.GONE && outgoing.hasUnsentFromBefore()) {
            // The patch that an earlier cycle has left is written first.
            decided(cause, Decision.WRITE_UNSENT, List.of());
            wakeAfter(Duration.ZERO);
            return;
        }
        if (cause.reason() == Reason.DELETE && daemons.anyMakesUndoable()) {
            // The end of the step wakes the object.
            decided(cause, Decision.AWAIT_STEP, List.of());
            return;
        }
        handled = true;
        boolean unfinished = switch (cause) {
            case Cause.Informational(var reason, var change) -> {
                decided(cause, Decision.NOTHING, List.of());
                yield takeNote(reason, change);
            }
            case Cause.Handleable handleable -> handleChange(handleable);
        };
        if (!unfinished && finalizer.mayGo(cause.reason(), object)) {
            object.localLogger().debug("Removing the finalizer, thus allowing the actual deletion.");
            tellOfStepsLeft();
            outgoing.release(finalizer.removal());
        }
    }

    /** Nobody takes these steps back, once the finalizer is gone. */
    private void tellOfStepsLeft() {
        List<StepMarks.Undoable> left = processor.stored().stepMarks().undoables(newest);
        if (!left.isEmpty()) {
            String message = whyLeft()
                    + left.stream().map(StepMarks.Undoable::id).distinct().collect(Collectors.joining(", ")) + ".";
            object.localLogger().error("{}", message);
            processor.post(ObjectEvent.warning(object.reference(), "StepsLeft", message));
        }
    }

    private String whyLeft() {
        if (DeletionState.isRequested(newest)) {
            return "The object goes, and what these steps have made stays, as no handler of the deletion has taken it"
                    + " back: ";
        }
        // Filters may let the object pass again: the finalizer comes back then.
        boolean filtered = processor.handlers().changes().stream().anyMatch(RegisteredHandler::needsFinalizer);
        return filtered
                ? "The finalizer goes, as the filters of the deletion's handlers do not let the object pass any more: as"
                        + " long as they do not, nobody takes back at its deletion what these steps have made: "
                : "The finalizer goes, and what these steps have made stays when the object is deleted, as no handler of"
                        + " the deletion takes it back: ";
    }

    /** True if something is left to do later. */
    private boolean handleChange(Cause.Handleable cause) throws InterruptedException {
        String refusal = processor.stored().refusal(object, cause);
        if (refusal != null) {
            decided(cause, Decision.REFUSE, List.of());
            refuse(refusal);
            return false;
        }
        memory.accepted();
        if (fightsForever(cause)) {
            return true;
        }
        creationIsHandled = cause.reason() == Reason.CREATE;
        boolean changed = !cause.change().diff().isEmpty();
        daemons.changeIsHandled(changed);
        // The object stays until its daemons and children have ended, so the record of what has succeeded must stay,
        // too.
        boolean held = finalizer.isHeld(cause.reason(), object);
        ChangeHandling.Result result = new ChangeHandling(this, cause, held).run();
        daemons.changeIsHandled(changed);
        return switch (result) {
            case ChangeHandling.Held() -> true;
            case ChangeHandling.Done(ObjectNode essence) -> {
                memory.handled();
                handledEssence = essence;
                if (retryWaits) {
                    wakeAfter(Duration.ZERO);
                }
                yield false;
            }
            case ChangeHandling.Unfinished(Duration delay) -> continueAfter(delay);
            case ChangeHandling.RerunNeeded() -> {
                // The handlers know now that the operator has started: they are not called for that again.
                memory.handled();
                yield continueAfter(Duration.ZERO);
            }
        };
    }

    /** True if the handling that begins would be done again and again, as somebody undoes it each time: it waits. */
    private boolean fightsForever(Cause.Handleable cause) {
        if (cause.reason() == Reason.CREATE) {
            return memory.isCreationStored()
                    && processor.consistencyCheck().knowsOwnWriting()
                    && !hasProgress()
                    && waits(Fight.STATE_REMOVED, cause);
        }
        return cause.reason() == Reason.UPDATE
                && isOwnUpdate
                && !hasProgress()
                && waits(Fight.CHANGED_WITH_WRITING, cause);
    }

    private boolean hasProgress() {
        return processor.handlers().changes().stream()
                .anyMatch(handler -> processor.stored().progress().fetch(handler.id(), object.node()) != null);
    }

    private boolean continueAfter(Duration delay) {
        wakeAfter(delay);
        return true;
    }

    /** Reports only once that changes are not handled, as this is found out again with each event of the object. */
    private void refuse(String why) {
        if (tellOfRefusal(why)) {
            object.localLogger()
                    .error("The object is not handled: no handler of its creation and changes is called. {}", why);
        }
    }

    /** False if people were told before. */
    private boolean tellOfRefusal(String why) {
        boolean first = memory.reportsRefusal();
        if (first) {
            processor.post(ObjectEvent.warning(object.reference(), "NotHandled", why));
        }
        return first;
    }

    private boolean takeNote(Reason reason, Change change) {
        switch (reason) {
            case GONE -> object.localLogger().debug("Deleted, really deleted, and we are notified.");
            case FREE -> object.localLogger().debug("Deletion, but we are done with it, and we do not care.");
            default -> {
                object.localLogger()
                        .debug("Something has changed, but we are not interested (the essence is the same).");
                return cleanUp(change);
            }
        }
        return false;
    }

    /** Nothing has changed that matters, or the change was undone before its handlers had ended. */
    private boolean cleanUp(Change change) {
        if (memory.hasSeenStates() && rerunHandlersOfUndone(change)) {
            return continueAfter(Duration.ZERO);
        }
        // Otherwise the next change would look as if some handlers had succeeded with it already.
        dropProgressOfUndone(object, outgoing.content());
        if (retryWaits) {
            wakeAfter(Duration.ZERO);
        }
        return false;
    }

    /**
     * Lets the handlers that had ended be called again: they have not seen that the change was undone.
     *
     * @return true if the undoing is to be handled as a change now
     */
    private boolean rerunHandlersOfUndone(Change change) {
        SeenStates seenStates = memory.handling().seenStates();
        seenStates.begin(change);
        OutdatedHandlerRerun rerun = OutdatedHandlerRerun.of(processor, object, change, seenStates);
        if (rerun == null) {
            if (seenStates.isPartlyStored()) {
                processor
                        .stored()
                        .storeHandled(
                                object, change.newEssence(), outgoing.content().merge());
            }
            seenStates.clear();
            return false;
        }
        rerun.rerunAll(progressOfNothing(object), outgoing.content());
        return true;
    }

    /** Adds to the patch the removal of the progress that a change has left which was undone, or a copied deletion. */
    private void dropProgressOfUndone(ResourceObject state, PatchContent patch) {
        boolean _ = processor.interventions().storeSeen(null, state.node(), patch.merge());
        ProgressState progress = progressOfNothing(state);
        if (isLeftOver(progress)) {
            if (progress.isOf(Reason.DELETE)) {
                object.localLogger()
                        .info("The object is not being deleted, and has records of a deletion, as from a backup:"
                                + " they are removed.");
            }
            ChangeSteps.givenUp(progress.unfinishedOthers(), processor, state, patch);
            progress.purge(state.node(), patch.merge());
        }
    }

    /** Nothing has changed, and the object is not being deleted: nobody goes on with such records. */
    private static boolean isLeftOver(ProgressState progress) {
        return progress.isOf(Reason.UPDATE) || progress.isOf(Reason.DELETE);
    }

    private ProgressState progressOfNothing(ResourceObject state) {
        return ProgressState.load(
                processor.stored().progress(),
                Reason.NOOP,
                processor.handlers().changes(),
                memory.knownSubHandlers(),
                state.node());
    }

    // For those who look on.

    /** It is clear what is done for the change, and whom it concerns. */
    void decided(Cause cause, Decision decision, List<RegisteredHandler> concerned) {
        callsHandlers |= decision == Decision.HANDLE && !concerned.isEmpty();
        List<String> ids = new ArrayList<>(concerned.size());
        for (RegisteredHandler handler : concerned) {
            ids.add(handler.id());
        }
        tell(new OperatorStep.CycleDecided(
                processor.resource(),
                memory.reference(),
                cause.reason(),
                cause.change().diff(),
                decision,
                List.copyOf(ids)));
    }

    private void decided(Decision decision) {
        tell(new OperatorStep.CycleDecided(
                processor.resource(), memory.reference(), null, UNKNOWN, decision, List.of()));
    }

    private void tell(OperatorStep step) {
        processor.calls().runner().trace().happened(step);
    }

    // What follows the cycle.

    /** The newest known state. */
    ObjectNode newest() {
        return newest;
    }

    /** The server has answered with that state. */
    void goOnWith(ObjectNode answered) {
        newest = answered;
    }

    /** The next cycle is due after that time, unless an event comes first. */
    void wakeAfter(Duration delay) {
        wakeUp = processor.platform().after(delay);
    }

    /** The next cycle is due after that time at the latest. */
    void wakeWithin(Duration delay) {
        wakeBy(processor.platform().after(delay));
    }

    private void wakeBy(Deadline moment) {
        wakeUp = wakeUp == null ? moment : wakeUp.orEarlier(moment);
    }

    /** The next cycle is not due any more. */
    void cancelWakeUp() {
        wakeUp = null;
    }

    /** True if only the event of the operator's own change is still to come. */
    private boolean awaitsOwnChange() {
        return wakeUp == null && (newerKnown || processor.consistencyCheck().isVersionExpected(memory));
    }

    /**
     * True if the event of the operator's own change need not be looked at when it comes: a cycle of that state would
     * do nothing, and nobody needs to see it. In a storm this is every second event.
     */
    private boolean skipsOwnChange() {
        ObjectNode essence = handledEssence;
        if (essence == null || !awaitsOwnChange()) {
            return false;
        }
        boolean skips = processor.handlers().onlyChanges()
                && !isObjectGone()
                && !memory.hasUnsentPatch()
                && processor.interventions().areAcknowledged(newest)
                && nothingIsLeftToDo(object.with(newest), essence);
        if (skips) {
            memory.forget(Fight.CHANGED_WITH_WRITING);
            processor.consistencyCheck().skipEventOf(memory, ResourceVersions.of(newest));
        }
        return skips;
    }

    private boolean nothingIsLeftToDo(ResourceObject state, ObjectNode essence) {
        Change change = processor
                .stored()
                .detector()
                .changeSince(
                        essence,
                        outgoing.content().merge(),
                        state.node(),
                        processor.handlers().fields());
        Cause cause = processor.stored().detector().detect(state.node(), false, memory.isInitial(), change);
        if (cause.reason() != Reason.NOOP) {
            return false;
        }
        PatchContent leftovers = new PatchContent();
        ProgressState progress = ProgressState.load(
                processor.stored().progress(),
                Reason.NOOP,
                processor.handlers().changes(),
                new HashSet<>(memory.knownSubHandlers()),
                state.node());
        if (isLeftOver(progress)) {
            progress.purge(state.node(), leftovers.merge());
        }
        return leftovers.isEmpty() && finalizer.isAsNeeded(Situation.of(processor, state, cause));
    }

    /** Says what comes next for the object. Keeps its state in the memory if the next cycle may need it. */
    private CycleResult result() {
        if (wakeUp == null && !awaitsOwnChange()) {
            return idle();
        }
        memory.rememberBody(newest);
        if (wakeUp == null) {
            return new CycleResult.Idle();
        }
        // The event of the operator's own change comes soon, and the cycle begins with it.
        Deadline expected = processor.consistencyCheck().expectedUntil(memory);
        boolean eventComesSooner = !expected.isNever() && wakeUp.compareTo(expected) < 0;
        return new CycleResult.WakeUp(eventComesSooner ? expected : wakeUp);
    }

    /** Nothing is left to do, whatever state comes next. */
    private CycleResult idle() {
        ChildrenMemory children = memory.children();
        if (children != null && processor.children().keepsBody(children)) {
            memory.rememberBody(newest);
        } else {
            memory.forgetBody();
        }
        memory.remember(Map.of());
        return new CycleResult.Idle();
    }

    // For the handling of a change.

    ObjectProcessor processor() {
        return processor;
    }

    ResourceObject object() {
        return object;
    }

    OutgoingPatch outgoing() {
        return outgoing;
    }

    ObjectMemory memory() {
        return memory;
    }

    /** True if the cycle before has made the state of the object, perhaps together with a change of somebody else. */
    boolean isMadeByOperator() {
        return madeByOperator;
    }

    /** True if a cycle of that state would change neither the finalizer nor any daemon or timer before it handles. */
    boolean wouldBeginWithHandlers(ResourceObject state, Cause cause) {
        return daemons.wanted(state).equals(daemons.wanted())
                && finalizer.isAsNeeded(new Situation(state, cause, true));
    }

    /** The daemons and timers of the object. */
    CycleDaemons daemons() {
        return daemons;
    }

    /** True if the object does not exist any more, as far as a request has told. */
    boolean isObjectGone() {
        return processor.consistencyCheck().isDeletedEventAwaited(memory);
    }

    // Children.

    /** True if something has to be done for them, whatever has happened to the object itself. */
    private boolean childrenAreDisturbed() {
        ChildrenMemory known = memory.children();
        return known != null && processor.children().isDisturbed(known);
    }

    private boolean childrenHaveWork(ChildrenMemory known) {
        ResourceObject state = object.with(outgoing.content().preview(newest));
        return processor.children().haveWork(state, processor.essenceOf(state.node()), known);
    }

    /** Does all that there is to do for them; adds to the patch, and says when the next cycle is due. */
    private void handleChildren() throws InterruptedException {
        ChildrenMemory known = memory.children();
        if (known == null) {
            return;
        }
        if (!DeletionState.isRequested(newest) && !outgoing.content().isEmpty() && childrenHaveWork(known)) {
            // What has succeeded must not wait for requests about children.
            sentFirst = outgoing.send();
            outgoing.content().clear();
            if (isObjectGone() || memory.hasUnsentPatch()) {
                return;
            }
        }
        ResourceObject state = object.with(newest);
        Deadline again =
                processor.children().handle(state, processor.essenceOf(state.node()), known, outgoing.content());
        if (!again.isNever()) {
            wakeBy(again);
        }
    }
}
