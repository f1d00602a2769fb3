package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.diffbase.DiffBaseStorage;
import dev.kopf4j.persistence.progress.ProgressStorage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that handling changes needs, whichever the object. Thread-safe.
 *
 * @param detector tells what happened
 * @param diffBase where last-handled states are stored
 * @param progress where the handlers' progress is stored
 * @param runner calls handlers
 * @param contexts makes their contexts
 */
public record ChangeHandling(
        CauseDetector detector,
        DiffBaseStorage diffBase,
        ProgressStorage progress,
        HandlerRunner runner,
        ContextFactory contexts) {
    /** True if the object could be any handler's business: others are left without a trace. */
    public boolean concernsAny(List<RegisteredHandler> handlers, ResourceObject resourceObject, Cause cause) {
        InvocationCause invocationCause = occasion(cause);
        for (RegisteredHandler handler : handlers) {
            if (concerns(handler, resourceObject, invocationCause)) {
                return true;
            }
        }
        return false;
    }

    private boolean concerns(
            RegisteredHandler handler, ResourceObject resourceObject, InvocationCause invocationCause) {
        return HandlerSelection.prematches(
                handler,
                resourceObject,
                invocationCause,
                contexts.forFilters(handler, resourceObject, invocationCause));
    }

    /** True if a handler wants to be called before the object is deleted. */
    public boolean needsFinalizer(List<RegisteredHandler> handlers, ResourceObject resourceObject, Cause cause) {
        InvocationCause invocationCause = occasion(cause);
        for (RegisteredHandler handler : handlers) {
            if (handler.needsFinalizer() && concerns(handler, resourceObject, invocationCause)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Why an object cannot be handled: the state that would be remembered in the end cannot be stored on it.
     *
     * @return words for people; null if it can be handled, as deletions always can
     */
    public @Nullable String refusal(ResourceObject resourceObject, Cause.Handleable cause) {
        Change change = cause.change();
        return cause.reason() == Reason.DELETE || isUnchanged(change)
                ? null
                : diffBase.whyNotStorable(resourceObject.node(), change.newEssence());
    }

    /** Adds to the patch what remembers the state in which the object was handled, if it is another one. */
    void remember(ResourceObject resourceObject, Cause.Handleable cause, ObjectNode patch) {
        ObjectNode essence = cause.change().newEssence();
        boolean fits = cause.reason() != Reason.DELETE || fits(resourceObject, essence);
        if (fits && !isUnchanged(cause.change())) {
            diffBase.store(resourceObject.node(), patch, essence);
        }
    }

    /** True if that state can be stored on the object as the one that was handled last. */
    boolean fits(ResourceObject resourceObject, ObjectNode essence) {
        return diffBase.whyNotStorable(resourceObject.node(), essence) == null;
    }

    /**
     * Adds to the patch that the object was handled in an earlier state: what has changed since is still to be handled.
     */
    void rememberEarlier(ResourceObject resourceObject, ObjectNode essence, ObjectNode patch) {
        diffBase.store(resourceObject.node(), patch, essence);
    }

    private static boolean isUnchanged(Change change) {
        return JsonEquality.equal(change.newEssence(), change.oldEssence());
    }

    /**
     * One cycle of handling a cause.
     *
     * @param held true if the object is not done with when all handlers are: their progress stays on it then
     * @param memory what is remembered from earlier cycles, and for later ones
     */
    public ChangeCycle cycle(
            ResourceHandlers handlers,
            ResourceObject resourceObject,
            Cause.Handleable cause,
            boolean held,
            PatchContent patch,
            HandlingMemory memory,
            CheckpointWriter checkpointWriter) {
        return new ChangeCycle(
                this,
                handlers,
                resourceObject,
                new InvocationCause.Changing(cause),
                held,
                patch,
                memory,
                checkpointWriter);
    }

    /**
     * Removes what is left of a change that was taken back before its handlers had come to their end.
     *
     * @param children the sub-handlers that were called; emptied with the rest
     */
    public void dropProgress(
            ResourceHandlers handlers, ResourceObject resourceObject, Set<String> children, PatchContent patch) {
        ProgressState state =
                ProgressState.load(progress, Reason.NOOP, handlers.changes(), children, resourceObject.node());
        if (state.isOf(Reason.UPDATE)) {
            state.purge(resourceObject.node(), patch.merge());
        }
    }

    /**
     * A change was taken back before all of its handlers had come to their ends. Those that had know nothing of that.
     *
     * @return true if the way back is to be handled as a change now
     */
    public boolean takeBack(
            ResourceHandlers handlers,
            ResourceObject resourceObject,
            Change change,
            HandlingMemory memory,
            PatchContent patch) {
        SeenStates seenStates = memory.seenStates();
        seenStates.begin(change);
        OutdatedHandlerRerun outdatedHandlerRerun =
                OutdatedHandlerRerun.of(this, handlers.changes(), resourceObject, change, seenStates);
        if (outdatedHandlerRerun == null) {
            if (seenStates.isPartlyStored()) {
                diffBase.store(resourceObject.node(), patch.merge(), change.newEssence());
            }
            seenStates.clear();
            return false;
        }
        ProgressState state = ProgressState.load(
                progress, Reason.NOOP, handlers.changes(), memory.subHandlerIds(), resourceObject.node());
        outdatedHandlerRerun.rerunAll(state, patch.merge());
        return true;
    }

    /** Adds to the patch the removal of the mark by which an older Python operator wakes itself up. */
    public void removeTouch(ObjectNode body, ObjectNode patch) {
        progress.touch(body, patch, null);
    }

    private static InvocationCause occasion(Cause cause) {
        return switch (cause) {
            case Cause.Handleable handleable -> new InvocationCause.Changing(handleable);
            case Cause.Informational(var reason, var change) -> new InvocationCause.Noticing(reason, change);
        };
    }
}
