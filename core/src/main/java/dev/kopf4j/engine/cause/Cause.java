package dev.kopf4j.engine.cause;

import dev.kopf4j.Reason;
import dev.kopf4j.json.JsonDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What happened to an object, and what has changed. Immutable. */
public sealed interface Cause {
    /** What happened. */
    Reason reason();

    /** What has changed. */
    Change change();

    /**
     * Something to be handled.
     *
     * @param reason create, update, delete, or resume
     * @param initial true if the object was listed at the start and not handled since: resuming handlers are called too
     * @param change what has changed
     */
    record Handleable(Reason reason, boolean initial, Change change) implements Cause {
        /** Checks the reason. */
        public Handleable {
            if (!reason.isHandled()) {
                throw new IllegalArgumentException("not a reason to call handlers: " + reason);
            }
        }
    }

    /**
     * Something to be noted only.
     *
     * @param reason noop, free, or gone
     * @param change what has changed
     */
    record Informational(Reason reason, Change change) implements Cause {}

    /**
     * What has changed in an object since it was last handled. Immutable, as long as nobody changes the trees.
     *
     * @param oldEssence what mattered then; null if it was never handled
     * @param newEssence what matters now
     * @param diff from then to now
     */
    public record Change(@Nullable ObjectNode oldEssence, ObjectNode newEssence, JsonDiff diff) {
        private static final JsonDiff NOTHING = new JsonDiff(List.of());

        /** Nothing has changed. */
        public static Change none(ObjectNode essence) {
            return new Change(essence, essence, NOTHING);
        }

        /** What has changed between two essences; the earlier one is null if the object was never handled. */
        public static Change between(@Nullable ObjectNode oldEssence, ObjectNode newEssence) {
            return new Change(oldEssence, newEssence, JsonDiff.between(oldEssence, newEssence));
        }
    }
}
