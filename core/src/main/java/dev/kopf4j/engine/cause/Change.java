package dev.kopf4j.engine.cause;

import dev.kopf4j.json.JsonDiff;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What has changed in an object since it was last handled. Immutable, as long as nobody changes the trees.
 *
 * @param oldEssence what mattered then; null if it was never handled
 * @param newEssence what matters now
 * @param diff from then to now
 */
public record Change(@Nullable ObjectNode oldEssence, ObjectNode newEssence, JsonDiff diff) {
    /** What has changed between two essences; the earlier one is null if the object was never handled. */
    public static Change between(@Nullable ObjectNode oldEssence, ObjectNode newEssence) {
        return new Change(oldEssence, newEssence, JsonDiff.between(oldEssence, newEssence));
    }
}
