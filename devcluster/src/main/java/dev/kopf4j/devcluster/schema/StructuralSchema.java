package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A structural schema as the CRD has it. Immutable as long as nobody changes the tree. */
public record StructuralSchema(JsonNode node) {
    /** A schema that keeps everything. */
    public static final StructuralSchema ANYTHING =
            new StructuralSchema(Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true));

    /** The schema of a field: of a known property, or of any further ones. */
    public Optional<StructuralSchema> field(String name) {
        JsonNode property = node.path("properties").path(name);
        if (property.isObject()) {
            return Optional.of(new StructuralSchema(property));
        }
        JsonNode additional = node.path("additionalProperties");
        return additional.isObject() ? Optional.of(new StructuralSchema(additional)) : Optional.empty();
    }

    /** The path of a field in errors of the API's own checks: {@code spec.known}, but {@code spec.labels[further]}. */
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

    /** The JSON type, empty when any. */
    public String type() {
        return Json.string(node, "type");
    }

    /** Whether a flag is set. */
    public boolean flag(String name) {
        return node.path(name).booleanValue(false);
    }

    /** Whether fields that are not described are kept. */
    public boolean keepsUnknown() {
        return flag("x-kubernetes-preserve-unknown-fields")
                || node.path("additionalProperties").booleanValue(false);
    }

    /** Whether the value is an object of the API with metadata of its own. */
    public boolean embedsResource() {
        return flag("x-kubernetes-embedded-resource");
    }

    /** How the elements of an array belong together: atomic, set or map. */
    public String listType() {
        return Json.string(node, "x-kubernetes-list-type");
    }
}
