package dev.kopf4j.devcluster.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes the fields that a schema does not declare; {@code pkg/apiserver/schema/pruning} of apiextensions-apiserver,
 * v1.33.
 */
public final class SchemaPruning {
    private static final Set<String> OF_EVERY_RESOURCE = Set.of("apiVersion", "kind", "metadata");
    private final List<String> dropped;
    private final Consumer<ObjectNode> embedded;

    private SchemaPruning(List<String> dropped, Consumer<ObjectNode> embedded) {
        this.dropped = dropped;
        this.embedded = embedded;
    }

    /**
     * Prunes an object in place, all but its type and metadata.
     *
     * @param dropped gets the paths of removed fields
     */
    public static void prune(StructuralSchema structuralSchema, ObjectNode object, List<String> dropped) {
        prune(structuralSchema, object, dropped, holder -> {});
    }

    /**
     * Prunes an object in place, all but its type and metadata.
     *
     * @param dropped gets the paths of removed fields
     * @param embedded gets each embedded resource before its metadata are pruned
     */
    public static void prune(
            StructuralSchema structuralSchema, ObjectNode object, List<String> dropped, Consumer<ObjectNode> embedded) {
        new SchemaPruning(dropped, embedded).object(structuralSchema, object, "", true);
    }

    private void value(StructuralSchema structuralSchema, JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            object(structuralSchema, object, path, structuralSchema.embedsResource());
        } else if (value instanceof ArrayNode array) {
            Optional<StructuralSchema> items = structuralSchema.items();
            for (int index = 0; index < array.size() && items.isPresent(); index++) {
                value(items.get(), array.get(index), path + "[" + index + "]");
            }
        }
    }

    private void object(StructuralSchema structuralSchema, ObjectNode object, String path, boolean resource) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            String name = entry.getKey();
            if (resource && OF_EVERY_RESOURCE.contains(name)) {
                if (name.equals("metadata") && !path.isEmpty()) {
                    embeddedMetadata(object, path + ".metadata");
                }
                continue;
            }
            String fieldPath = path.isEmpty() ? name : path + "." + name;
            Optional<StructuralSchema> field = structuralSchema.field(name);
            if (field.isPresent()) {
                value(field.get(), entry.getValue(), fieldPath);
            } else if (!structuralSchema.keepsUnknown()) {
                object.remove(name);
                dropped.add(fieldPath);
            }
        }
    }

    private void embeddedMetadata(ObjectNode object, String path) {
        embedded.accept(object);
        if (object.get("metadata") instanceof ObjectNode metadata) {
            for (String name : List.copyOf(metadata.propertyNames())) {
                if (!ObjectMetaFields.NAMES.contains(name)) {
                    metadata.remove(name);
                    dropped.add(path + "." + name);
                }
            }
        }
    }
}
