package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.call.ObjectTurns;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object and its patch while handlers are called within one cycle. Each round of calls finds the object as if the
 * patches of those before it had been written; the patches are joined, and no success stays unwritten for longer than
 * the setting says. After a write the cycle goes on with the object as the server has answered it. Confined to the
 * object's worker.
 */
final class ProgressCheckpoint {
    private final ObjectProcessor processor;
    private final OutgoingPatch outgoing;
    private final CycleDaemons daemons;
    private final Reason reason;
    /** What the rounds before the present one have left. */
    private final PatchContent patch;

    private final SeenStates seenStates;
    private final Platform platform;

    /** As the server has it, as far as is known. */
    private ResourceObject stored;
    /** What has happened to it in that state. */
    private Change change;
    /** As the present round has found it. */
    private ResourceObject found;
    /** The same state as handlers see it: with the changes that have to be sent anyway. */
    private ResourceObject shown;
    /** What the present round adds to the patch. */
    private PatchContent addition = new PatchContent();

    private Deadline due = Deadline.NEVER;
    private boolean isFirst = true;
    private boolean overtaken;
    private boolean stateKnown = true;
    private boolean doubtful;

    ProgressCheckpoint(ObjectCycle cycle, Cause.Handleable cause) {
        this.processor = cycle.processor();
        this.outgoing = cycle.outgoing();
        this.daemons = cycle.daemons();
        this.reason = cause.reason();
        this.stored = cycle.object();
        this.change = cause.change();
        this.found = stored;
        this.patch = outgoing.content();
        this.shown = stored;
        this.seenStates = cycle.memory().handling().seenStates();
        this.platform = processor.platform();
        showPatch();
    }

    /** The object as the server has it, as far as is known. */
    ResourceObject stored() {
        return stored;
    }

    /** What has happened to it in that state. */
    Change change() {
        return change;
    }

    /** The object as the present round has found it. */
    ResourceObject found() {
        return found;
    }

    /** What the present round wants to be changed. */
    PatchContent addition() {
        return addition;
    }

    /** Before the first round: handlers see what was added to the patch since the cycle began. */
    void showPatch() {
        shown = stored.with(patch.preview(stored.node()));
    }

    /**
     * Before the first call: what event handlers want to be written to one version only is written now. In the midst of
     * a call its refusal would be that call's, too.
     */
    void writeForOneVersion(ProgressState state) throws InterruptedException {
        if (patch.isForOneVersion()) {
            checkpoint(state);
        }
    }

    /** An empty patch for one call, which knows what waits to be sent before it. */
    PatchContent patchForCall() {
        return PatchContent.after(patch, addition);
    }

    /** The object as it will look when everything is written. */
    ResourceObject preview() {
        return shown.with(addition.preview(shown.node()));
    }

    /**
     * The object with everything that may be stored on it although the server has not confirmed it: records that have
     * to be removed are looked for there.
     */
    ResourceObject withDoubtfulWrites() {
        return doubtful ? stored.with(patch.preview(stored.node())) : stored;
    }

    /** True if somebody has changed or paused the object meanwhile: the cycle must not go on with what it knows. */
    boolean isOvertaken() {
        return overtaken;
    }

    /** False if the object has gone, or if not all of what was written could be: nothing can be concluded. */
    boolean isStateKnown() {
        return stateKnown;
    }

    /** When something has to be written. */
    Deadline due() {
        return due;
    }

    /** A handler has succeeded. Other lifecycles than {@code inOrder} write once, at the end. */
    void succeeded() {
        if (due.isNever() && processor.lifecycle().equals(HandlerLifecycle.IN_ORDER)) {
            due = platform.after(processor.cycles().settings().execution().checkpoint());
        }
    }

    /**
     * The present round ends here, and leaves its records on the object: the next one finds it in that state. What is
     * for one version of the object is written before anybody else is called.
     *
     * @return false if nobody can tell that state yet: another cycle has to follow
     */
    boolean endRound(ProgressState state) throws InterruptedException {
        storeAndJoin(state);
        if (patch.hasTransformations() || patch.isForOneVersion() || due.hasPassed(platform)) {
            checkpoint(state);
        }
        return !overtaken && !patch.hasTransformations();
    }

    /**
     * Writes if it is time to, in the middle of a call.
     *
     * @param together true if sub-handlers have ended within that call, so that it is written as far as it has come
     */
    void writeIfDue(ProgressState state, boolean together) throws InterruptedException {
        if (due.hasPassed(platform)) {
            if (together) {
                storeAndJoin(state);
            }
            checkpoint(state);
        }
    }

    /**
     * Writes all that is known in the middle of a call that waits for it.
     *
     * @throws ClientException if that fails; nothing is lost, as it stays in the patch
     */
    void writeNow(ProgressState state) throws InterruptedException {
        storeAndJoin(state);
        try {
            write(state);
        } catch (ClientException e) {
            doubtful = true;
            throw e;
        }
    }

    /** The last of the rounds has ended: its patch is sent with those of the others. */
    void finish(ProgressState state) throws InterruptedException {
        writeIfNotJoinable(state);
        join();
    }

    private void storeAndJoin(ProgressState state) throws InterruptedException {
        writeIfNotJoinable(state);
        state.store(found.node(), addition.merge());
        join();
    }

    /** Writes first if one request cannot express the earlier changes together with the new ones. */
    private void writeIfNotJoinable(ProgressState state) throws InterruptedException {
        if (!isFirst && !MergePatch.canJoin(patch.merge(), addition.merge())) {
            write(state);
        }
    }

    /** Each round costs what it has changed itself, and not what all before it have. */
    private void join() {
        ResourceObject after = isFirst ? null : preview();
        patch.add(addition);
        addition = new PatchContent();
        show(after == null ? stored.with(patch.preview(stored.node())) : after);
        isFirst = false;
    }

    private void show(ResourceObject state) {
        found = state;
        shown = state;
    }

    /** Remembers that the handlers that have ended by now have seen the state of this round. */
    void noteSeenState(ProgressState state) {
        if (reason != Reason.DELETE) {
            seenStates.note(state.justFinished(), change);
        }
    }

    private void checkpoint(ProgressState state) throws InterruptedException {
        try {
            write(state);
        } catch (ClientException e) {
            // Nothing is lost: it stays in the patch, which is sent at the end of the cycle. Some of it may be there.
            doubtful = true;
            stored.localLogger().debug("The checkpoint could not be written: {}", e.getMessage());
        }
    }

    private void write(ProgressState state) throws InterruptedException {
        due = Deadline.NEVER;
        ObjectTurns.endTurn();
        noteSeenState(state);
        state.flush();
        ObjectNode expected = patch.previewAll(stored.node());
        ObjectNode answered = outgoing.checkpoint(patch);
        patch.clear();
        goOnWith(answered, expected, state);
    }

    private boolean isPaused(ObjectNode body) {
        return processor.interventions().pause(body).holds(body);
    }

    private void goOnWith(@Nullable ObjectNode answered, ObjectNode expected, ProgressState state) {
        if (answered == null) {
            overtaken = true;
            stateKnown = false;
            return;
        }
        state.acknowledge();
        ObjectNode essence = processor.essenceOf(answered);
        boolean deletionCame = DeletionState.isRequested(answered) && !DeletionState.isRequested(stored.node());
        // A later write does not tell of it again.
        overtaken |= deletionCame || !JsonEquality.equal(essence, processor.essenceOf(expected));
        if (!overtaken && !JsonEquality.equal(essence, change.newEssence())) {
            change = Change.between(change.oldEssence(), essence);
        }
        if (isPaused(answered) && !isPaused(stored.node())) {
            // The next cycle obeys; daemons and timers do at once, as the present call may go on for long.
            overtaken = true;
            daemons.holdBack();
        }
        stored = stored.with(answered);
        show(stored);
    }
}
