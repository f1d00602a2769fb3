package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.call.HandlerRunner;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.HandlingState;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.DiffBaseStorage;
import dev.kopf4j.persistence.ProgressStorage;
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
    public boolean concernsAny(List<RegisteredHandler> handlers, Subject subject, Cause cause) {
        Occasion occasion = occasion(cause);
        for (RegisteredHandler handler : handlers) {
            if (concerns(handler, subject, occasion)) {
                return true;
            }
        }
        return false;
    }

    private boolean concerns(RegisteredHandler handler, Subject subject, Occasion occasion) {
        return HandlerSelection.prematches(handler, subject, occasion, contexts.probing(handler, subject, occasion));
    }

    /** True if a handler wants to be called before the object is deleted. */
    public boolean needsFinalizer(List<RegisteredHandler> handlers, Subject subject, Cause cause) {
        Occasion occasion = occasion(cause);
        for (RegisteredHandler handler : handlers) {
            if (handler.needsFinalizer() && concerns(handler, subject, occasion)) {
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
    public @Nullable String refusal(Subject subject, Cause.Handleable cause) {
        Change change = cause.change();
        return cause.reason() == Reason.DELETE || isUnchanged(change)
                ? null
                : diffBase.refusal(subject.node(), change.newEssence());
    }

    /** Adds to the patch what remembers the state in which the object was handled, if it is another one. */
    void remember(Subject subject, Cause.Handleable cause, ObjectNode patch) {
        ObjectNode essence = cause.change().newEssence();
        boolean fits = cause.reason() != Reason.DELETE || fits(subject, essence);
        if (fits && !isUnchanged(cause.change())) {
            diffBase.store(subject.node(), patch, essence);
        }
    }

    /** True if that state can be stored on the object as the one that was handled last. */
    boolean fits(Subject subject, ObjectNode essence) {
        return diffBase.refusal(subject.node(), essence) == null;
    }

    /**
     * Adds to the patch that the object was handled in an earlier state: what has changed since is still to be handled.
     */
    void rememberEarlier(Subject subject, ObjectNode essence, ObjectNode patch) {
        diffBase.store(subject.node(), patch, essence);
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
            Subject subject,
            Cause.Handleable cause,
            boolean held,
            PatchContent patch,
            HandlingMemory memory,
            Checkpoint checkpoint) {
        return new ChangeCycle(this, handlers, subject, new Occasion.Changed(cause), held, patch, memory, checkpoint);
    }

    /**
     * Removes what is left of a change that was taken back before its handlers had come to their end.
     *
     * @param children the sub-handlers that were called; emptied with the rest
     */
    public void dropProgress(ResourceHandlers handlers, Subject subject, Set<String> children, PatchContent patch) {
        HandlingState state = HandlingState.load(progress, Reason.NOOP, handlers.changes(), children, subject.node());
        if (state.isOf(Reason.UPDATE)) {
            state.purge(subject.node(), patch.merge());
        }
    }

    /**
     * A change was taken back before all of its handlers had come to their ends. Those that had know nothing of that.
     *
     * @return true if the way back is to be handled as a change now
     */
    public boolean takeBack(
            ResourceHandlers handlers, Subject subject, Change change, HandlingMemory memory, PatchContent patch) {
        Sightings sightings = memory.sightings();
        sightings.begin(change);
        Repetition repetition = Repetition.of(this, handlers.changes(), subject, change, sightings);
        if (repetition == null) {
            if (sightings.isPartlyStored()) {
                diffBase.store(subject.node(), patch.merge(), change.newEssence());
            }
            sightings.clear();
            return false;
        }
        HandlingState state =
                HandlingState.load(progress, Reason.NOOP, handlers.changes(), memory.children(), subject.node());
        repetition.ofAll(state, patch.merge());
        return true;
    }

    private static Occasion occasion(Cause cause) {
        return switch (cause) {
            case Cause.Handleable handleable -> new Occasion.Changed(handleable);
            case Cause.Informational(var reason, var change) -> new Occasion.Informed(reason, change);
        };
    }
}
