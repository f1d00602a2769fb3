package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.ObjectTurns;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object and its patch during a cycle. No success stays unwritten for longer than the setting says: a PATCH in the
 * middle of the cycle writes it, and the cycle goes on with the object that the server has answered. Confined to the
 * object's worker.
 */
final class ProgressCheckpoint {
    private final ChangeHandling handling;
    private final Set<FieldPath> fields;
    private final Cause.Handleable cause;
    private final PatchContent patch;
    private final SeenStates seenStates;
    private final CheckpointWriter checkpointWriter;
    private final Platform platform;

    private ResourceObject resourceObject;
    private Deadline due = Deadline.NEVER;
    private boolean overtaken;
    private boolean doubtful;

    ProgressCheckpoint(
            ChangeHandling handling,
            Set<FieldPath> fields,
            ResourceObject resourceObject,
            Cause.Handleable cause,
            PatchContent patch,
            SeenStates seenStates,
            CheckpointWriter checkpointWriter) {
        this.handling = handling;
        this.fields = fields;
        this.resourceObject = resourceObject;
        this.cause = cause;
        this.patch = patch;
        this.seenStates = seenStates;
        this.checkpointWriter = checkpointWriter;
        this.platform = handling.platform();
    }

    /** The newest known state of the object. */
    ResourceObject resourceObject() {
        return resourceObject;
    }

    /** What is not written yet. */
    PatchContent patch() {
        return patch;
    }

    /** The object as it will look when everything is written. */
    ResourceObject preview() {
        return resourceObject.with(patch.preview(resourceObject.node()));
    }

    /**
     * The object with all that may have been written to it. A checkpoint without an answer may have been stored, so its
     * records must be removed, too.
     */
    ResourceObject withDoubtfulWrites() {
        return doubtful ? preview() : resourceObject;
    }

    /**
     * True if somebody else has changed the object meanwhile: the cycle must not go on with the state that it knows.
     */
    boolean isOvertaken() {
        return overtaken;
    }

    /** When something has to be written. */
    Deadline due() {
        return due;
    }

    /** A handler has succeeded, and others follow. Other lifecycles than this one ask for one write at the end only. */
    void succeeded(ProgressState state) throws InterruptedException {
        if (due.isNever() && handling.lifecycle() == HandlerLifecycle.IN_ORDER) {
            due = platform.after(handling.settings().checkpoint());
            writeIfDue(state);
        }
    }

    /** Writes if it is time to. */
    void writeIfDue(ProgressState state) throws InterruptedException {
        if (due.hasPassed(platform)) {
            write(state);
        }
    }

    /** Remembers that the handlers that have ended by now have seen the state of this cycle. */
    void noteSeenState(ProgressState state) {
        if (cause.reason() != Reason.DELETE) {
            seenStates.note(state.justFinished(), cause.change());
        }
    }

    private void write(ProgressState state) throws InterruptedException {
        due = Deadline.NEVER;
        ObjectTurns.endTurn();
        noteSeenState(state);
        state.store(resourceObject.node(), patch.merge());
        ObjectNode answered;
        try {
            answered = checkpointWriter.write(patch);
        } catch (ClientException e) {
            // Nothing is lost: it stays in the patch, which is sent at the end of the cycle. Some of it may be there.
            doubtful = true;
            resourceObject.localLogger().debug("The checkpoint could not be written: {}", e.getMessage());
            return;
        }
        patch.clear();
        goOnWith(answered, state);
    }

    private void goOnWith(@Nullable ObjectNode answered, ProgressState state) {
        if (answered == null) {
            overtaken = true;
            return;
        }
        state.acknowledge();
        overtaken = differs(answered);
        resourceObject = resourceObject.with(answered);
    }

    private boolean differs(ObjectNode answered) {
        boolean deletionCame = DeletionState.isRequested(answered) && !DeletionState.isRequested(resourceObject.node());
        Change now = handling.detector().change(answered, fields);
        return deletionCame
                || !JsonEquality.equal(now.newEssence(), cause.change().newEssence());
    }
}
