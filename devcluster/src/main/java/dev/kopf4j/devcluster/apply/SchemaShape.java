package dev.kopf4j.devcluster.apply;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.Schema;
import dev.kopf4j.devcluster.type.TypeTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The shape that a structural schema gives. */
record SchemaShape(Schema schema, boolean resource) implements Shape {
    private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");
    private static final Shape TEXT = new SchemaShape(new Schema(Json.object().put("type", "string")), false);

    @Override
    public Parts parts() {
        return switch (schema.type()) {
            case "object" ->
                Json.string(schema.node(), "x-kubernetes-map-type").equals("atomic") ? Parts.NONE : Parts.FIELDS;
            case "array" ->
                switch (schema.listType()) {
                    case "map" -> Parts.KEYED;
                    case "set" -> Parts.SET;
                    default -> Parts.NONE;
                };
            case "" -> schema.keepsUnknown() ? Parts.ANY : Parts.NONE;
            default -> Parts.NONE;
        };
    }

    @Override
    public Optional<Shape> field(String name) {
        if ((resource || schema.embedsResource()) && TYPE_FIELDS.contains(name)) {
            return Optional.of(TEXT);
        }
        if ((resource || schema.embedsResource()) && name.equals("metadata")) {
            return Optional.of(new TypeShape(TypeTable.get().type("meta.v1.ObjectMeta")));
        }
        Optional<Shape> declared = schema.field(name).map(field -> new SchemaShape(field, false));
        return declared.isEmpty() && schema.keepsUnknown() ? Optional.of(Shape.UNKNOWN) : declared;
    }

    @Override
    public boolean declares(String name) {
        return schema.node().path("properties").has(name)
                || (resource && (TYPE_FIELDS.contains(name) || name.equals("metadata")));
    }

    @Override
    public Shape element() {
        return schema.items().<Shape>map(items -> new SchemaShape(items, false)).orElse(Shape.UNKNOWN);
    }

    @Override
    public List<String> keys() {
        return schema.node()
                .path("x-kubernetes-list-map-keys")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    @Override
    public Optional<JsonNode> keyDefault(String key) {
        return schema.items()
                .flatMap(items -> items.field(key))
                .flatMap(field -> Optional.ofNullable(field.node().get("default")));
    }

    @Override
    public String type() {
        if (schema.flag("x-kubernetes-int-or-string")) {
            return "";
        }
        return switch (schema.type()) {
            case "integer", "number" -> "numeric";
            default -> schema.type();
        };
    }
}
