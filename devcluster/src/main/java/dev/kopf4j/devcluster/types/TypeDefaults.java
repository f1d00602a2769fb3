package dev.kopf4j.devcluster.types;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sets the defaults of types, wherever an object of the type is; SetDefaults_* of pkg/apis of Kubernetes, v1.33. */
public final class TypeDefaults {
    private TypeDefaults() {}

    /** Sets defaults in place. */
    public static void apply(StructType type, ObjectNode object) {
        for (Map.Entry<String, JsonNode> preset : type.defaults().entrySet()) {
            JsonNode present = object.path(preset.getKey());
            TypeField typeField = type.fields().get(preset.getKey());
            boolean unset = present.isMissingNode()
                    || present.isNull()
                    || (typeField != null && !typeField.pointer() && isZero(present));
            if (unset) {
                object.set(preset.getKey(), preset.getValue().deepCopy());
            }
        }
        for (TypeField typeField : type.fields().values()) {
            JsonNode value = object.get(typeField.name());
            if (value != null) {
                below(typeField.fieldType(), value);
            }
        }
    }

    private static boolean isZero(JsonNode value) {
        return value.isString()
                ? value.stringValue().isEmpty()
                : value.isNumber() && value.decimalValue().signum() == 0;
    }

    private static void below(FieldType fieldType, JsonNode value) {
        switch (fieldType) {
            case FieldType.Struct(String name) -> {
                if (value instanceof ObjectNode object) {
                    apply(BuiltinTypes.get().type(name), object);
                }
            }
            case FieldType.ListOf(FieldType element) -> {
                if (value instanceof ArrayNode array) {
                    array.forEach(item -> below(element, item));
                }
            }
            case FieldType.MapOf(FieldType element) -> {
                if (value instanceof ObjectNode object) {
                    object.forEach(item -> below(element, item));
                }
            }
            case FieldType.Scalar scalar -> {}
        }
    }
}
