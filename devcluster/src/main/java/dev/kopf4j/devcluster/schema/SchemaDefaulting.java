package dev.kopf4j.devcluster.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the defaults of a schema; {@code pkg/apiserver/schema/defaulting} of apiextensions-apiserver, v1.33. Pure but
 * for the given object.
 */
public final class SchemaDefaulting {
    private SchemaDefaulting() {}

    /** Sets the defaults of missing fields in place. A null counts as missing unless the field is nullable. */
    public static void apply(StructuralSchema structuralSchema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            setDefaults(structuralSchema, object);
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                structuralSchema.field(entry.getKey()).ifPresent(field -> {
                    if (isToBeSet(field, entry.getValue())) {
                        object.set(entry.getKey(), field.node().get("default").deepCopy());
                    }
                    apply(field, object.get(entry.getKey()));
                });
            }
        } else if (value instanceof ArrayNode array && structuralSchema.items().isPresent()) {
            StructuralSchema items = structuralSchema.items().get();
            for (int index = 0; index < array.size(); index++) {
                if (isToBeSet(items, array.get(index))) {
                    array.set(index, items.node().get("default").deepCopy());
                }
                apply(items, array.get(index));
            }
        }
    }

    /** True if a null stands where none may be, and there is a default. */
    private static boolean isToBeSet(StructuralSchema structuralSchema, JsonNode value) {
        return value.isNull()
                && !structuralSchema.flag("nullable")
                && structuralSchema.node().has("default");
    }

    /** Removes in place the nulls of fields that are not nullable, anywhere below. */
    public static void dropNulls(StructuralSchema structuralSchema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                Optional<StructuralSchema> field = structuralSchema.field(entry.getKey());
                if (field.isPresent() && entry.getValue().isNull()) {
                    if (!field.get().flag("nullable")) {
                        object.remove(entry.getKey());
                    }
                } else if (field.isPresent()) {
                    dropNulls(field.get(), entry.getValue());
                }
            }
        } else if (value instanceof ArrayNode array) {
            structuralSchema.items().ifPresent(items -> array.forEach(item -> dropNulls(items, item)));
        }
    }

    private static void setDefaults(StructuralSchema structuralSchema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> entry :
                structuralSchema.node().path("properties").properties()) {
            JsonNode preset = entry.getValue().get("default");
            JsonNode present = object.get(entry.getKey());
            boolean unset = present == null
                    || (present.isNull() && !entry.getValue().path("nullable").booleanValue(false));
            if (preset != null && unset) {
                object.set(entry.getKey(), preset.deepCopy());
            }
        }
    }
}
