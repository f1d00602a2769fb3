package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.FieldType;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeField;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The schema of a built-in type. */
record BuiltinMergeSchema(StructType struct) implements MergeSchema {
    private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");

    @Override
    public Structure structure() {
        return struct.atomic() ? Structure.NONE : Structure.FIELDS;
    }

    @Override
    public Optional<MergeSchema> field(String name) {
        if (TYPE_FIELDS.contains(name) && !struct.fields().containsKey(name)) {
            return Optional.of(new OfField(new FieldType.Scalar(FieldType.ScalarType.STRING), Optional.empty()));
        }
        return struct.field(name).map(typeField -> of(typeField.fieldType(), Optional.of(typeField)));
    }

    private static MergeSchema of(FieldType fieldType, Optional<TypeField> field) {
        return fieldType instanceof FieldType.Struct(String name)
                ? new BuiltinMergeSchema(BuiltinTypes.get().type(name))
                : new OfField(fieldType, field);
    }

    @Override
    public boolean declares(String name) {
        return true;
    }

    @Override
    public MergeSchema element() {
        return MergeSchema.UNKNOWN;
    }

    @Override
    public List<String> keys() {
        return List.of();
    }

    @Override
    public String type() {
        return "object";
    }

    /** The schema of a list, a map or a single value. */
    private record OfField(FieldType fieldType, Optional<TypeField> origin) implements MergeSchema {
        @Override
        public Structure structure() {
            return switch (fieldType) {
                case FieldType.ListOf list ->
                    origin.isEmpty()
                            ? Structure.NONE
                            : !origin.get().listKeys().isEmpty()
                                    ? Structure.KEYED
                                    : origin.get().set() ? Structure.SET : Structure.NONE;
                case FieldType.MapOf map ->
                    origin.isPresent() && origin.get().atomicMap() ? Structure.NONE : Structure.FIELDS;
                default -> Structure.NONE;
            };
        }

        @Override
        public Optional<MergeSchema> field(String name) {
            return fieldType instanceof FieldType.MapOf(FieldType value)
                    ? Optional.of(of(value, Optional.empty()))
                    : Optional.empty();
        }

        @Override
        public boolean declares(String name) {
            return false;
        }

        @Override
        public MergeSchema element() {
            return fieldType instanceof FieldType.ListOf(FieldType element)
                    ? of(element, Optional.empty())
                    : MergeSchema.UNKNOWN;
        }

        @Override
        public List<String> keys() {
            return origin.map(TypeField::listKeys).orElse(List.of());
        }

        @Override
        public Optional<JsonNode> keyDefault(String key) {
            return fieldType instanceof FieldType.ListOf(FieldType element)
                            && element instanceof FieldType.Struct(String name)
                    ? Optional.ofNullable(
                            BuiltinTypes.get().type(name).defaults().get(key))
                    : Optional.empty();
        }

        @Override
        public String type() {
            return switch (fieldType) {
                case FieldType.ListOf list -> "array";
                case FieldType.MapOf map -> "object";
                case FieldType.Struct object -> "object";
                case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                    switch (scalarType) {
                        case STRING, TIME, MICRO_TIME, BYTES -> "string";
                        case INTEGER, LONG, NUMBER -> "numeric";
                        case BOOLEAN -> "boolean";
                        default -> "";
                    };
            };
        }
    }
}
