package dev.kopf4j.devcluster.apply;

import dev.kopf4j.devcluster.type.Field;
import dev.kopf4j.devcluster.type.Form;
import dev.kopf4j.devcluster.type.StructType;
import dev.kopf4j.devcluster.type.TypeTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The shape of a built-in type. */
record TypeShape(StructType struct) implements Shape {
    private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");

    @Override
    public Parts parts() {
        return struct.atomic() ? Parts.NONE : Parts.FIELDS;
    }

    @Override
    public Optional<Shape> field(String name) {
        if (TYPE_FIELDS.contains(name) && !struct.fields().containsKey(name)) {
            return Optional.of(new OfForm(new Form.Scalar(Form.Basic.STRING), Optional.empty()));
        }
        return struct.field(name).map(field -> shape(field.form(), Optional.of(field)));
    }

    private static Shape shape(Form form, Optional<Field> field) {
        return form instanceof Form.Struct(String name)
                ? new TypeShape(TypeTable.get().type(name))
                : new OfForm(form, field);
    }

    @Override
    public boolean declares(String name) {
        return true;
    }

    @Override
    public Shape element() {
        return Shape.UNKNOWN;
    }

    @Override
    public List<String> keys() {
        return List.of();
    }

    @Override
    public String type() {
        return "object";
    }

    /** A list, map or single value of a field. */
    private record OfForm(Form form, Optional<Field> origin) implements Shape {
        @Override
        public Parts parts() {
            return switch (form) {
                case Form.ListOf list ->
                    origin.isEmpty()
                            ? Parts.NONE
                            : !origin.get().listKeys().isEmpty()
                                    ? Parts.KEYED
                                    : origin.get().set() ? Parts.SET : Parts.NONE;
                case Form.MapOf map -> origin.isPresent() && origin.get().atomicMap() ? Parts.NONE : Parts.FIELDS;
                default -> Parts.NONE;
            };
        }

        @Override
        public Optional<Shape> field(String name) {
            return form instanceof Form.MapOf(Form value)
                    ? Optional.of(shape(value, Optional.empty()))
                    : Optional.empty();
        }

        @Override
        public boolean declares(String name) {
            return false;
        }

        @Override
        public Shape element() {
            return form instanceof Form.ListOf(Form element) ? shape(element, Optional.empty()) : Shape.UNKNOWN;
        }

        @Override
        public List<String> keys() {
            return origin.map(Field::listKeys).orElse(List.of());
        }

        @Override
        public Optional<JsonNode> keyDefault(String key) {
            return form instanceof Form.ListOf(Form element) && element instanceof Form.Struct(String name)
                    ? Optional.ofNullable(TypeTable.get().type(name).defaults().get(key))
                    : Optional.empty();
        }

        @Override
        public String type() {
            return switch (form) {
                case Form.ListOf list -> "array";
                case Form.MapOf map -> "object";
                case Form.Struct object -> "object";
                case Form.Scalar(Form.Basic basic) ->
                    switch (basic) {
                        case STRING, TIME, MICRO_TIME, BYTES -> "string";
                        case INTEGER, NUMBER -> "numeric";
                        case BOOLEAN -> "boolean";
                        default -> "";
                    };
            };
        }
    }
}
