package dev.kopf4j.engine.children.live;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of an object that a manager has applied, and still owns. Whoever changes or removes such a field by an
 * update takes it from its owner: so a field that is still owned has the value that was applied, whatever the server
 * has made of it. Pure.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management">field
 *     management</a>
 */
public final class AppliedFields {
    private AppliedFields() {}

    /** The set of fields that a manager has applied, as the server writes it; null if it has not applied any. */
    static @Nullable ObjectNode of(ObjectNode body, String manager) {
        for (JsonNode entry : body.path("metadata").path("managedFields")) {
            boolean own = entry.path("manager").asString("").equals(manager)
                    && entry.path("operation").asString("").equals("Apply")
                    && entry.path("subresource").asString("").isEmpty();
            if (own && entry.get("fieldsV1") instanceof ObjectNode fields) {
                return fields;
            }
        }
        return null;
    }

    /** True if all fields of a configuration are in the set. */
    public static boolean cover(JsonNode fields, ObjectNode configuration) {
        for (Map.Entry<String, JsonNode> field : configuration.properties()) {
            // These name the object, and nobody owns them.
            boolean identity =
                    field.getKey().equals("apiVersion") || field.getKey().equals("kind");
            boolean metadata = field.getKey().equals("metadata");
            if (metadata ? !coverMetadata(fields, field.getValue()) : !identity && !coverField(fields, field)) {
                return false;
            }
        }
        return true;
    }

    private static boolean coverMetadata(JsonNode fields, JsonNode metadata) {
        JsonNode owned = fields.path("f:metadata");
        for (Map.Entry<String, JsonNode> field : metadata.properties()) {
            boolean identity = field.getKey().equals("name") || field.getKey().equals("namespace");
            if (!identity && !coverField(owned, field)) {
                return false;
            }
        }
        return true;
    }

    private static boolean coverField(JsonNode fields, Map.Entry<String, JsonNode> field) {
        if (field.getValue().isNull()) {
            return true;
        }
        JsonNode owned = fields.get("f:" + field.getKey());
        return owned != null && coverValue(owned, field.getValue());
    }

    /** An owned field without parts is owned as a whole: an atomic list or map, or a plain value. */
    private static boolean coverValue(JsonNode owned, JsonNode value) {
        if (owned.isEmpty()) {
            return true;
        }
        if (value.isObject()) {
            return value.properties().stream().allMatch(field -> coverField(owned, field));
        }
        for (JsonNode item : value) {
            if (!coverItem(owned, item)) {
                return false;
            }
        }
        return true;
    }

    private static boolean coverItem(JsonNode owned, JsonNode item) {
        for (Map.Entry<String, JsonNode> entry : owned.properties()) {
            String path = entry.getKey();
            boolean meant = path.startsWith("k:")
                    ? item.isObject() && hasKey(item, path.substring(2))
                    : path.startsWith("v:") && path.substring(2).equals(item.toString());
            if (meant && (!item.isObject() || coverValue(entry.getValue(), item))) {
                return true;
            }
        }
        return false;
    }

    /** Keys that the item does not name have their defaults. */
    private static boolean hasKey(JsonNode item, String key) {
        JsonNode names = Json.parse(key);
        Iterator<Map.Entry<String, JsonNode>> fields = names.properties().iterator();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            JsonNode value = item.get(field.getKey());
            if (value != null && !JsonEquality.equal(value, field.getValue())) {
                return false;
            }
        }
        return true;
    }
}
