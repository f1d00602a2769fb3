package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.types.FieldType;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The merge schemas of resources. */
public final class MergeSchemas {
    private MergeSchemas() {}

    /** The schema of a resource's objects. */
    public static MergeSchema of(Resource resource) {
        CustomKind custom = resource.custom();
        if (custom != null) {
            return new CustomMergeSchema(custom.structuralSchema(), true);
        }
        return BuiltinTypes.get()
                .of(resource)
                .<MergeSchema>map(BuiltinMergeSchema::new)
                .orElse(MergeSchema.UNKNOWN);
    }

    /** What a new object is compared with: the parts that objects of a type have although nobody sets them. */
    static ObjectNode blank(Resource resource) {
        return BuiltinTypes.get()
                .of(resource)
                .map(type -> CanonicalCodec.canonical(type, Json.object(), new ArrayList<>()))
                .orElseGet(Json::object);
    }

    /**
     * The schema of a custom resource.
     *
     * @param resource true for the object itself, which has a type and metadata besides what the schema says
     */
    private record CustomMergeSchema(StructuralSchema structuralSchema, boolean resource) implements MergeSchema {
        private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");
        private static final MergeSchema TEXT =
                new CustomMergeSchema(new StructuralSchema(Json.object().put("type", "string")), false);

        @Override
        public Structure structure() {
            return switch (structuralSchema.type()) {
                case "object" ->
                    Json.string(structuralSchema.node(), "x-kubernetes-map-type")
                                    .equals("atomic")
                            ? Structure.NONE
                            : Structure.FIELDS;
                case "array" ->
                    switch (structuralSchema.listType()) {
                        case "map" -> Structure.KEYED;
                        case "set" -> Structure.SET;
                        default -> Structure.NONE;
                    };
                case "" -> structuralSchema.keepsUnknown() ? Structure.ANY : Structure.NONE;
                default -> Structure.NONE;
            };
        }

        @Override
        public Optional<MergeSchema> field(String name) {
            if ((resource || structuralSchema.embedsResource()) && TYPE_FIELDS.contains(name)) {
                return Optional.of(TEXT);
            }
            if ((resource || structuralSchema.embedsResource()) && name.equals("metadata")) {
                return Optional.of(new BuiltinMergeSchema(BuiltinTypes.get().type("meta.v1.ObjectMeta")));
            }
            Optional<MergeSchema> declared =
                    structuralSchema.field(name).map(field -> new CustomMergeSchema(field, false));
            return declared.isEmpty() && structuralSchema.keepsUnknown() ? Optional.of(MergeSchema.UNKNOWN) : declared;
        }

        @Override
        public boolean declares(String name) {
            return structuralSchema.node().path("properties").has(name)
                    || (resource && (TYPE_FIELDS.contains(name) || name.equals("metadata")));
        }

        @Override
        public MergeSchema element() {
            return structuralSchema
                    .items()
                    .<MergeSchema>map(items -> new CustomMergeSchema(items, false))
                    .orElse(MergeSchema.UNKNOWN);
        }

        @Override
        public List<String> keys() {
            return structuralSchema
                    .node()
                    .path("x-kubernetes-list-map-keys")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .toList();
        }

        @Override
        public Optional<JsonNode> keyDefault(String key) {
            return structuralSchema
                    .items()
                    .flatMap(items -> items.field(key))
                    .flatMap(field -> Optional.ofNullable(field.node().get("default")));
        }

        @Override
        public String type() {
            if (structuralSchema.flag("x-kubernetes-int-or-string")) {
                return "";
            }
            return switch (structuralSchema.type()) {
                case "integer", "number" -> "numeric";
                default -> structuralSchema.type();
            };
        }
    }

    /** The schema of a built-in type. */
    private record BuiltinMergeSchema(StructType struct) implements MergeSchema {
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
}
