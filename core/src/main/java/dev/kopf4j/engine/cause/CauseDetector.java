package dev.kopf4j.engine.cause;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.persistence.conventions.EssencePruner;
import dev.kopf4j.persistence.diffbase.DiffBasePersistence;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import java.util.Collection;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what happened to an object, from its state and what is stored on it. Pure; thread-safe.
 *
 * @param clear drops from the essence what else does not count
 */
public record CauseDetector(
        DiffBasePersistence diffBase,
        ProgressPersistence progress,
        Finalizer finalizer,
        UnaryOperator<ObjectNode> clear) {

    /**
     * What happened.
     *
     * @param gone true if the object does not exist any more
     * @param initial true if the object was listed when the operator started, and was not handled since
     * @param extraFields fields outside the usual essence that handlers look at
     */
    public Cause detect(ObjectNode body, boolean gone, boolean initial, Collection<FieldPath> extraFields) {
        return detect(body, gone, initial, change(body, extraFields));
    }

    /** What happened, where it is known what has changed. */
    public Cause detect(ObjectNode body, boolean gone, boolean initial, Change change) {
        if (gone) {
            return new Cause.Informational(Reason.GONE, change);
        }
        if (DeletionState.isRequested(body)) {
            return finalizer.isOn(body)
                    ? new Cause.Handleable(Reason.DELETE, initial, change)
                    : new Cause.Informational(Reason.FREE, change);
        }
        if (change.oldEssence() == null) {
            return new Cause.Handleable(Reason.CREATE, false, change);
        }
        if (!change.diff().isEmpty()) {
            return new Cause.Handleable(Reason.UPDATE, initial, change);
        }
        return initial
                ? new Cause.Handleable(Reason.RESUME, true, change)
                : new Cause.Informational(Reason.NOOP, change);
    }

    /** What matters of an object as it is. */
    public ObjectNode essence(ObjectNode body, Collection<FieldPath> extraFields) {
        return EssencePruner.withoutChildMark(clear.apply(progress.clear(diffBase.build(body, extraFields))));
    }

    /** What has changed since the object was last handled. */
    public Change change(ObjectNode body, Collection<FieldPath> extraFields) {
        ObjectNode essence = essence(body, extraFields);
        if (diffBase.holds(body, essence)) {
            return Change.none(essence);
        }
        ObjectNode stored = diffBase.fetch(body);
        return Change.between(stored == null ? null : EssencePruner.withoutChildMark(progress.clear(stored)), essence);
    }

    /**
     * What has changed since the object was handled, as the patch has said that was sent then; it need not be read
     * again if the object has it.
     *
     * @param handled the essence that was to be stored by the patch, as an earlier change has told it
     */
    public Change changeSince(
            ObjectNode handled, ObjectNode patch, ObjectNode body, Collection<FieldPath> extraFields) {
        return diffBase.hasStored(patch, body)
                ? Change.between(handled, essence(body, extraFields))
                : change(body, extraFields);
    }
}
