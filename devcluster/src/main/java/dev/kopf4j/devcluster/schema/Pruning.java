package dev.kopf4j.devcluster.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops the fields that a schema does not know. */
public final class Pruning {
    private static final Set<String> OF_EVERY_RESOURCE = Set.of("apiVersion", "kind", "metadata");
    private final List<String> dropped;
    private final Consumer<ObjectNode> embedded;

    private Pruning(List<String> dropped, Consumer<ObjectNode> embedded) {
        this.dropped = dropped;
        this.embedded = embedded;
    }

    /** Prunes an object of the API in place, all but its type and metadata; adds the paths of dropped fields. */
    public static void prune(Schema schema, ObjectNode object, List<String> dropped) {
        prune(schema, object, dropped, holder -> {});
    }

    /** The same; objects inside that have metadata are shown before it is pruned. */
    public static void prune(Schema schema, ObjectNode object, List<String> dropped, Consumer<ObjectNode> embedded) {
        new Pruning(dropped, embedded).object(schema, object, "", true);
    }

    private void value(Schema schema, JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            object(schema, object, path, schema.embedsResource());
        } else if (value instanceof ArrayNode array) {
            Optional<Schema> items = schema.items();
            for (int index = 0; index < array.size() && items.isPresent(); index++) {
                value(items.get(), array.get(index), path + "[" + index + "]");
            }
        }
    }

    private void object(Schema schema, ObjectNode object, String path, boolean resource) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            String name = entry.getKey();
            if (resource && OF_EVERY_RESOURCE.contains(name)) {
                if (name.equals("metadata") && !path.isEmpty()) {
                    embeddedMetadata(object, path + ".metadata");
                }
                continue;
            }
            String fieldPath = path.isEmpty() ? name : path + "." + name;
            Optional<Schema> field = schema.field(name);
            if (field.isPresent()) {
                value(field.get(), entry.getValue(), fieldPath);
            } else if (!schema.keepsUnknown()) {
                object.remove(name);
                dropped.add(fieldPath);
            }
        }
    }

    private void embeddedMetadata(ObjectNode object, String path) {
        embedded.accept(object);
        if (object.get("metadata") instanceof ObjectNode metadata) {
            for (String name : List.copyOf(metadata.propertyNames())) {
                if (!MetadataFields.NAMES.contains(name)) {
                    metadata.remove(name);
                    dropped.add(path + "." + name);
                }
            }
        }
    }
}
