package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A structural schema of a custom resource definition. Immutable as long as nobody changes the tree. */
public record StructuralSchema(JsonNode node) {
    /** A schema that keeps everything. */
    public static final StructuralSchema ANYTHING =
            new StructuralSchema(Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true));

    /** The schema of a field: that of its property, or else that of additional properties. */
    public Optional<StructuralSchema> field(String name) {
        JsonNode property = node.path("properties").path(name);
        if (property.isObject()) {
            return Optional.of(new StructuralSchema(property));
        }
        JsonNode additional = node.path("additionalProperties");
        return additional.isObject() ? Optional.of(new StructuralSchema(additional)) : Optional.empty();
    }

    /**
     * The path of a field in errors: {@code spec.replicas} for properties, {@code spec.labels[app]} for additional
     * ones.
     */
    public String pathOf(String name, String path) {
        if (path.isEmpty()) {
            return name;
        }
        return node.path("properties").has(name) ? path + "." + name : path + "[" + name + "]";
    }

    /** The schema of array elements. */
    public Optional<StructuralSchema> items() {
        JsonNode items = node.path("items");
        return items instanceof ObjectNode ? Optional.of(new StructuralSchema(items)) : Optional.empty();
    }

    /** The JSON type; empty if it can be any. */
    public String type() {
        return Json.string(node, "type");
    }

    /** True if a flag is set. */
    public boolean flag(String name) {
        return node.path(name).booleanValue(false);
    }

    /** True if fields without a schema are kept; where they are forbidden, validation is to find them. */
    public boolean keepsUnknown() {
        return flag("x-kubernetes-preserve-unknown-fields")
                || node.path("additionalProperties").isBoolean();
    }

    /** True if fields without a schema are forbidden. */
    public boolean forbidsUnknown() {
        return !node.path("additionalProperties").booleanValue(true);
    }

    /** True if the value is an object of the API with metadata of its own. */
    public boolean embedsResource() {
        return flag("x-kubernetes-embedded-resource");
    }

    /** What an array is: atomic, set or map; empty if the schema does not say. */
    public String listType() {
        return Json.string(node, "x-kubernetes-list-type");
    }
}
