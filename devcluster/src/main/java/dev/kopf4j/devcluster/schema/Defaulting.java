package dev.kopf4j.devcluster.schema;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in the defaults of a schema. */
public final class Defaulting {
    private Defaulting() {}

    /** Sets the defaults of missing fields in place; nulls where none may be count as missing. */
    public static void apply(Schema schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            dropNulls(schema, object);
            setDefaults(schema, object);
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                schema.field(entry.getKey()).ifPresent(field -> apply(field, entry.getValue()));
            }
        } else if (value instanceof ArrayNode array) {
            schema.items().ifPresent(items -> array.forEach(item -> apply(items, item)));
        }
    }

    private static void dropNulls(Schema schema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            boolean unwanted = entry.getValue().isNull()
                    && schema.field(entry.getKey())
                            .map(field -> !field.flag("nullable"))
                            .orElse(false);
            if (unwanted) {
                object.remove(entry.getKey());
            }
        }
    }

    private static void setDefaults(Schema schema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> entry :
                schema.node().path("properties").properties()) {
            JsonNode preset = entry.getValue().get("default");
            if (preset != null && !object.has(entry.getKey())) {
                object.set(entry.getKey(), preset.deepCopy());
            }
        }
    }
}
