package dev.kopf4j.engine.handling.rerun;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressStorage;
import java.util.List;
import java.util.Set;

/**
 * An object in which nothing has changed that matters: maybe a change was undone before all its handlers had ended.
 * Confined to one cycle.
 *
 * @param lastHandled stores the state that counts as handled
 * @param storage where the handlers' progress is stored
 * @param handlers the handlers of changes
 * @param object the object in that state
 */
public record UndoneChange(
        LastHandledState lastHandled,
        ProgressStorage storage,
        List<RegisteredHandler> handlers,
        ResourceObject object) {
    /** Adds to the patch the removal of the progress that the change has left. Forgets the sub-handlers with it. */
    public void dropProgress(Set<String> subHandlers, PatchContent patch) {
        ProgressState state = progress(subHandlers);
        if (state.isOf(Reason.UPDATE)) {
            state.purge(object.node(), patch.merge());
        }
    }

    /**
     * Lets the handlers that had ended be called again: they have not seen that the change was undone.
     *
     * @return true if the undoing is to be handled as a change now
     */
    public boolean rerunHandlers(Change change, SeenStates seenStates, Set<String> subHandlers, PatchContent patch) {
        seenStates.begin(change);
        OutdatedHandlerRerun rerun = OutdatedHandlerRerun.of(lastHandled, handlers, object, change, seenStates);
        if (rerun == null) {
            if (seenStates.isPartlyStored()) {
                lastHandled.store(object, change.newEssence(), patch.merge());
            }
            seenStates.clear();
            return false;
        }
        rerun.rerunAll(progress(subHandlers), patch.merge());
        return true;
    }

    private ProgressState progress(Set<String> subHandlers) {
        return ProgressState.load(storage, Reason.NOOP, handlers, subHandlers, object.node());
    }
}
