package dev.kopf4j.engine.cycle;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cycle.ObjectMemory.HandlingMemory;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.intervention.FailedHandlers;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.node.ObjectNode;

/**
 * The handling of a change within one cycle: selects the handlers of the cause, calls those that are due, remembers
 * their outcomes, and leaves in the patch what is written at the end. Confined to the object's worker; used once.
 */
final class ChangeHandling {
    private final ObjectProcessor processor;
    private final ObjectCycle cycle;
    private final InvocationCause.Changing cause;
    private final boolean held;
    private final PatchContent patch;
    private final HandlingMemory memory;
    private final ProgressCheckpoint checkpoint;
    private final Logger logger;

    /**
     * Of one cycle.
     *
     * @param held true if daemons hold the object after all handlers have ended: then the progress stays on the object
     */
    ChangeHandling(ObjectCycle cycle, Cause.Handleable cause, boolean held) {
        this.processor = cycle.processor();
        this.cycle = cycle;
        this.cause = new InvocationCause.Changing(cause);
        this.held = held;
        this.patch = cycle.outgoing().content();
        this.memory = cycle.memory().handling();
        this.checkpoint = new ProgressCheckpoint(cycle, cause);
        this.logger = cycle.object().logger();
    }

    /** What is left to do after it. */
    sealed interface Result {}

    /**
     * Nothing: all handlers have succeeded or failed for good.
     *
     * @param essence the essence of the object when the last of them was called
     */
    record Done(ObjectNode essence) implements Result {}

    /** Nothing by the handlers, but daemons, timers or children still hold the object: a later cycle finishes it. */
    record Held() implements Result {}

    /** Handlers have to be called after the delay; zero for at once, also as the object has changed meanwhile. */
    record Unfinished(Duration delay) implements Result {}

    /** All handlers have ended, but the object has changed meanwhile: the next cycle handles the rest of the change. */
    record RerunNeeded() implements Result {}

    /**
     * Handles the change as far as that is possible in this cycle.
     *
     * @throws InterruptedException if the operator stops
     */
    Result run() throws InterruptedException {
        List<RegisteredHandler> handlers = processor.handlers().changes();
        memory.seenStates().begin(cause.change());
        List<RegisteredHandler> declarations =
                HandlerSelection.declarationsForChange(
                                handlers,
                                checkpoint.stored(),
                                cause,
                                processor.calls().contexts())
                        .stream()
                        .filter(each -> !memory.seenStates()
                                .hasHeard(each, cause.change().newEssence()))
                        .toList();
        List<RegisteredHandler> selected = HandlerSelection.distinct(declarations);
        ProgressState progress = progress(handlers, declarations);
        logBegin();
        cycle.decided(cause.cause(), OperatorStep.Decision.HANDLE, selected);
        if (selected.isEmpty()) {
            return held ? new Held() : concludeWithoutCalls(progress);
        }
        HandlerRounds rounds =
                new HandlerRounds(cycle, checkpoint, progress, new HandlerRounds.Start(cause, selected, 0));
        if (selected.size() == 1) {
            rounds.make();
        } else {
            processor.calls().runner().objectTurns().during(rounds::make);
        }
        checkpoint.finish(progress);
        if (progress.isDone() && !held && canBeConcluded()) {
            Result concluded = conclude(progress, rounds.present().cause());
            return checkpoint.isOvertaken() ? new RerunNeeded() : concluded;
        }
        checkpoint.noteSeenState(progress);
        progress.store(checkpoint.stored().node(), patch.merge());
        progress.flush();
        if (progress.isDone() && held) {
            return new Held();
        }
        Duration untilNextCall = rounds.untilNextCall();
        cycle.memory().remember(rounds.waits());
        return new Unfinished(untilNextCall);
    }

    private ProgressState progress(List<RegisteredHandler> handlers, List<RegisteredHandler> declarations) {
        ResourceObject object = checkpoint.stored();
        ProgressState progress = ProgressState.load(
                processor.stored().progress(), cause.reason(), handlers, memory.subHandlerIds(), object.node());
        Instant now = processor.platform().now();
        progress.activate(declarations, now);
        Map<Reason, String> others = progress.superseded();
        if (!others.isEmpty()) {
            others.forEach((reason, counts) ->
                    logger.info("{} is superseded by {}: {}.", capitalised(title(reason)), title(), counts));
            Map<String, ProgressRecord> before =
                    progress.takeOver(declarations, now, id -> hasNothingNew(progress, id));
            if (!before.isEmpty() || !progress.superseded().isEmpty()) {
                before.values().removeIf(ProgressRecord::isFinished);
                before.putAll(progress.unfinishedOthers());
                ChangeSteps.givenUp(before, processor, object, patch);
                progress.purgeOthers(object.node(), patch.merge());
                checkpoint.showPatch();
            }
        }
        memory.forgetSavedCalls(progress);
        return progress;
    }

    /**
     * True if the handler has seen the present state, or if the operator itself has made it. Where nobody knows that,
     * true for each that has not ended, or has ended in this process: that hears of what it has not seen by a rerun.
     */
    private boolean hasNothingNew(ProgressState progress, String handlerId) {
        ObjectNode seen = memory.seenStates().of(handlerId);
        ProgressRecord record = progress.recordOf(handlerId);
        boolean goesOn = seen != null || (record != null && !record.isFinished());
        return (goesOn && !processor.consistencyCheck().knowsOwnWriting())
                || cycle.isMadeByOperator()
                || JsonEquality.equal(seen, cause.change().newEssence());
    }

    /**
     * If somebody has changed the object meanwhile, it counts as handled in the state that the handlers have seen, at
     * once: with their records alone, a process that is started anew would take the rest for handled. A deletion waits
     * for the next cycle, as its records go with the finalizer.
     */
    private boolean canBeConcluded() {
        return !checkpoint.isOvertaken() || (checkpoint.isStateKnown() && cause.reason() != Reason.DELETE);
    }

    /** All handlers have ended. No progress has to be written, only the mark of this operator. */
    private Result conclude(ProgressState progress, InvocationCause.Changing last) {
        if (logger.isInfoEnabled()) {
            logger.info(
                    "{} is processed: {} succeeded; {} failed.",
                    capitalised(title()),
                    progress.succeeded(),
                    progress.failed());
        }
        tellOfDropped(progress);
        processor.stored().progress().mark(checkpoint.stored().node(), patch.merge());
        rememberFailures(progress, last.change());
        return rerunOrEnd(progress, last);
    }

    /** Who has failed for good, and has not succeeded since, stays on the object: somebody may want another attempt. */
    private void rememberFailures(ProgressState progress, Change change) {
        Interventions interventions = processor.interventions();
        ObjectNode body = checkpoint.stored().node();
        Map<String, Map<String, ProgressRecord>> below = withFailuresBelow(progress, body);
        boolean any = progress.failed() > 0
                || !below.isEmpty()
                || interventions.hasFailures(body)
                || !cycle.memory().failures().isEmpty();
        if (!any || !interventions.areObeyed() || cause.reason() == Reason.DELETE) {
            return;
        }
        // What only the annotation says is somebody's word, which needs no memory.
        FailedHandlers known = cycle.memory().failures();
        FailedHandlers failures = interventions.failures(body).and(known);
        Set<String> gone = new HashSet<>(failures.ids());
        for (RegisteredHandler handler : processor.handlers().changes()) {
            ProgressRecord record = progress.activeRecord(handler.id());
            Map<String, ProgressRecord> parts = below.get(handler.id());
            if (record != null && record.failure()) {
                failures = failures.with(handler.id(), record, change.oldEssence());
                known = known.with(handler.id(), record, change.oldEssence());
            } else if (record != null && parts != null) {
                failures = failures.with(handler.id(), record, change.oldEssence(), parts);
                known = known.with(handler.id(), record, change.oldEssence(), parts);
            }
            // A retry of others lets it count as successful, without a call.
            if (record == null || record.failure() || record.retries() == 0 || parts != null) {
                gone.remove(handler.id());
            }
        }
        cycle.memory().remember(known.without(gone));
        interventions.store(failures.without(gone), body, patch.merge());
    }

    /** What has become of the sub-handlers of each handler of which some have failed for good. */
    private Map<String, Map<String, ProgressRecord>> withFailuresBelow(ProgressState progress, ObjectNode body) {
        Map<String, Map<String, ProgressRecord>> found = new HashMap<>();
        for (RegisteredHandler handler : processor.handlers().changes()) {
            ProgressRecord parent = progress.activeRecord(handler.id());
            if (parent == null || parent.subrefs().isEmpty()) {
                continue;
            }
            Map<String, ProgressRecord> below = new LinkedHashMap<>();
            for (String id : parent.subrefs()) {
                ProgressRecord known = progress.recordOf(id);
                ProgressRecord record =
                        known == null ? processor.stored().progress().fetch(id, body) : known;
                if (record != null && record.step() == null && record.isFinished()) {
                    below.put(id, record);
                }
            }
            if (below.values().stream().anyMatch(ProgressRecord::failure)) {
                found.put(handler.id(), below);
            }
        }
        return found;
    }

    /** As in Kopf, who waits for another attempt is not called again if the newest state does not pass its filters. */
    private void tellOfDropped(ProgressState progress) {
        for (RegisteredHandler handler : processor.handlers().changes()) {
            ProgressRecord record = progress.recordOf(handler.id());
            boolean waits = record != null
                    && !record.isFinished()
                    && record.retries() > 0
                    && cause.reason().word().equals(record.purpose())
                    && progress.activeRecord(handler.id()) == null;
            if (waits) {
                logger.info(
                        "{} is not called again, as its filters do not let the newest state of the object pass.",
                        handler);
            }
        }
    }

    private Result concludeWithoutCalls(ProgressState progress) {
        tellOfDropped(progress);
        return rerunOrEnd(progress, cause);
    }

    private Result rerunOrEnd(ProgressState progress, InvocationCause.Changing last) {
        OutdatedHandlerRerun rerun = neededRerun(progress);
        if (rerun != null) {
            return rerun(rerun, progress);
        }
        memory.seenStates().clear();
        // Nobody goes on with any of it.
        ChangeSteps.givenUp(progress.unfinishedOthers(), processor, checkpoint.stored(), patch);
        progress.purge(checkpoint.withDoubtfulWrites().node(), patch.merge());
        processor.stored().storeHandled(checkpoint.stored(), last.cause(), patch.merge());
        if (cycle.memory().hasFailed()) {
            String retry =
                    processor.interventions().followedRetry(checkpoint.stored().node());
            cycle.memory().handledIn(last.change().newEssence(), retry);
        }
        return new Done(last.change().newEssence());
    }

    /** Deletion handlers are never called again: they do not depend on the state. */
    private @Nullable OutdatedHandlerRerun neededRerun(ProgressState progress) {
        if (memory.seenStates().isEmpty() || cause.reason() == Reason.DELETE) {
            return null;
        }
        checkpoint.noteSeenState(progress);
        return OutdatedHandlerRerun.of(processor, checkpoint.stored(), checkpoint.change(), memory.seenStates());
    }

    private Result rerun(OutdatedHandlerRerun rerun, ProgressState progress) {
        Set<String> outdated = rerun.outdated();
        logger.debug("The object has changed since {} were called: its newest state is handled next.", outdated);
        if (cause.reason() == Reason.CREATE) {
            // The creation is handled; what has happened to the object since then is an update.
            rerun.rerunAll(progress, patch);
        } else {
            rerun.rerunOutdated(progress, patch);
            memory.forgetSavedCalls(progress);
        }
        return new RerunNeeded();
    }

    private void logBegin() {
        if (!logger.isDebugEnabled()) {
            return;
        }
        String title = capitalised(title());
        Resource resource = checkpoint.stored().resource();
        logger.debug(
                "{} is in progress: {}",
                title,
                LoggedContent.of(resource, checkpoint.stored().node()));
        Change change = cause.change();
        if (change.oldEssence() != null && !change.diff().isEmpty()) {
            logger.debug("{} diff: {}", title, LoggedContent.of(resource, change.diff()));
        }
    }

    private String title() {
        return title(cause.reason());
    }

    /** In the words of Kopf. */
    private static String title(Reason reason) {
        return switch (reason) {
            case CREATE -> "creation";
            case UPDATE -> "updating";
            case DELETE -> "deletion";
            case RESUME -> "resuming";
            case NOOP -> "noop";
            case FREE -> "releasing";
            case GONE -> "vanishing";
        };
    }

    private static String capitalised(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
