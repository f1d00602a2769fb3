package dev.kopf4j.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the merge patch that leads from one object to another. Pure. */
public final class MergeDifference {
    private MergeDifference() {}

    /**
     * Returns the patch for the fields that the wanted object has; null stands for a field that is to go. Its other
     * fields are left alone, but below the first level, fields that are not wanted are removed.
     */
    public static ObjectNode ofFields(ObjectNode actual, ObjectNode wanted) {
        ObjectNode patch = Json.object();
        wanted.forEachEntry((key, value) -> add(patch, key, actual.get(key), value));
        return patch;
    }

    private static void add(ObjectNode patch, String key, @Nullable JsonNode actual, JsonNode wanted) {
        if (wanted.isNull()) {
            if (actual != null && !actual.isNull()) {
                patch.putNull(key);
            }
        } else if (wanted instanceof ObjectNode object && actual instanceof ObjectNode before) {
            ObjectNode nested = whole(before, object);
            if (!nested.isEmpty()) {
                patch.set(key, nested);
            }
        } else if (!JsonEquality.equal(actual, wanted)) {
            patch.set(key, withoutNulls(wanted));
        }
    }

    /** Only in objects of a merge patch does null remove; in lists, schemas would refuse it. */
    private static JsonNode withoutNulls(JsonNode wanted) {
        if (wanted instanceof ArrayNode list) {
            ArrayNode clean = list.arrayNode();
            list.forEach(each -> clean.add(withoutNulls(each)));
            return clean;
        }
        if (wanted instanceof ObjectNode object) {
            ObjectNode clean = object.objectNode();
            object.forEachEntry((key, value) -> {
                if (!value.isNull()) {
                    clean.set(key, withoutNulls(value));
                }
            });
            return clean;
        }
        return wanted;
    }

    private static ObjectNode whole(ObjectNode actual, ObjectNode wanted) {
        ObjectNode patch = ofFields(actual, wanted);
        for (Map.Entry<String, JsonNode> entry : actual.properties()) {
            if (!wanted.has(entry.getKey()) && !entry.getValue().isNull()) {
                patch.putNull(entry.getKey());
            }
        }
        return patch;
    }
}
