package dev.kopf4j.devcluster.type;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in what the defaults of types say, wherever an object of the type is. */
public final class Defaults {
    private Defaults() {}

    /** Sets defaults in place. */
    public static void apply(StructType type, ObjectNode object) {
        for (Map.Entry<String, JsonNode> preset : type.defaults().entrySet()) {
            JsonNode present = object.path(preset.getKey());
            Field field = type.fields().get(preset.getKey());
            boolean unset = present.isMissingNode()
                    || present.isNull()
                    || (field != null && !field.pointer() && isZero(present));
            if (unset) {
                object.set(preset.getKey(), preset.getValue().deepCopy());
            }
        }
        for (Field field : type.fields().values()) {
            JsonNode value = object.get(field.name());
            if (value != null) {
                below(field.form(), value);
            }
        }
    }

    private static boolean isZero(JsonNode value) {
        return value.isString()
                ? value.stringValue().isEmpty()
                : value.isNumber() && value.decimalValue().signum() == 0;
    }

    private static void below(Form form, JsonNode value) {
        switch (form) {
            case Form.Struct(String name) -> {
                if (value instanceof ObjectNode object) {
                    apply(TypeTable.get().type(name), object);
                }
            }
            case Form.ListOf(Form element) -> {
                if (value instanceof ArrayNode array) {
                    array.forEach(item -> below(element, item));
                }
            }
            case Form.MapOf(Form element) -> {
                if (value instanceof ObjectNode object) {
                    object.forEach(item -> below(element, item));
                }
            }
            case Form.Scalar scalar -> {}
        }
    }
}
