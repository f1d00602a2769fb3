package dev.kopf4j.engine.cycle;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.intervention.Interventions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator would do for one object now. Immutable.
 *
 * @param reason what has happened to the object since it was handled, as far as its state tells
 * @param change what has changed since then; after a retry that was asked for, since the state that it makes
 * @param finalizer what would be done about the operator's finalizer
 * @param undoables the steps that the object remembers, to be taken back when it is deleted
 * @param pause what somebody has paused of it
 * @param retry the request for a retry that would be followed first; null for none
 * @param handlers what each handler would do, in the order of their registration, sub-handlers behind their parents
 */
public record ObjectOutlook(
        Reason reason,
        Change change,
        FinalizerOutlook finalizer,
        List<String> undoables,
        Interventions.Pause pause,
        Interventions.@Nullable RetryRequest retry,
        List<HandlerOutlook> handlers) {
    /** Copies the lists. */
    public ObjectOutlook {
        undoables = List.copyOf(undoables);
        handlers = List.copyOf(handlers);
    }

    /** What would be done about the operator's finalizer. */
    public enum FinalizerOutlook {
        /** Nothing: the object has it as it should. */
        NONE,
        /** It would be added. */
        ADD,
        /** It would be removed. */
        REMOVE,
        /** The object has it, and nobody takes it off: no handler of the operator is for changes of such objects. */
        STAYS,
        /** That depends on callbacks, running daemons or living children. */
        DEPENDS
    }
}
