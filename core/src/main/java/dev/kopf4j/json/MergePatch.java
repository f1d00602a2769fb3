package dev.kopf4j.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies and joins JSON merge patches (RFC 7386).
 *
 * <p>Stateless.
 */
public final class MergePatch {
    private MergePatch() {}

    /** Answers the target with the patch applied: a new tree that shares nothing with either. */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        ObjectNode patched = target.deepCopy();
        applyInto(patched, patch);
        return patched;
    }

    /**
     * Joins a later patch into an earlier one, which is changed: one request then has the effect of both. The later
     * value wins, and nulls are kept, as they delete.
     *
     * <p>The one thing that a merge patch cannot say is "replace whatever is there by this object". So, if the earlier
     * patch sets a field to something that is not an object (or deletes it), and the later one sets fields inside of
     * it, then the joined patch sets them inside of what the target has.
     */
    public static void mergeInto(ObjectNode accumulated, ObjectNode laterPatch) {
        for (Map.Entry<String, JsonNode> entry : laterPatch.properties()) {
            if (entry.getValue() instanceof ObjectNode later
                    && accumulated.get(entry.getKey()) instanceof ObjectNode earlier) {
                mergeInto(earlier, later);
            } else {
                accumulated.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
    }

    private static void applyInto(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getValue().isNull()) {
                target.remove(entry.getKey());
            } else if (entry.getValue() instanceof ObjectNode nested) {
                applyInto(objectIn(target, entry.getKey()), nested);
            } else {
                target.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
    }

    private static ObjectNode objectIn(ObjectNode target, String key) {
        @Nullable JsonNode existing = target.get(key);
        return existing instanceof ObjectNode object ? object : target.putObject(key);
    }
}
