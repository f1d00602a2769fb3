package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaPruning;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts stored objects to the form of a resource: usually the same, otherwise with other field names or by another
 * schema.
 */
public final class StorageConversion {
    private StorageConversion() {}

    /** Whether the resource shows the stored bytes without conversion. */
    public static boolean asStored(Resource resource) {
        CustomKind custom = resource.custom();
        return custom == null ? !EventConversion.has(resource) : custom.storedAsServed();
    }

    /** The object as a fresh tree. */
    public static ObjectNode tree(Resource resource, StoredObject object) {
        ObjectNode tree = object.tree(resource.apiVersion(), resource.kind());
        CustomKind custom = resource.custom();
        if (custom != null && !custom.storedAsServed()) {
            SchemaPruning.prune(custom.structuralSchema(), tree, new ArrayList<>());
            ObjectNode metadata = (ObjectNode) tree.get("metadata");
            tree.remove("metadata");
            SchemaDefaulting.apply(custom.structuralSchema(), tree);
            tree.set("metadata", metadata);
        }
        return EventConversion.shown(resource, tree);
    }

    /** An object of the resource, ready for the store. */
    public static StoredObject store(Resource resource, ObjectNode object) {
        return resource.isCustom()
                ? StoredObject.sorted(object)
                : StoredObject.of(EventConversion.stored(resource, object));
    }
}
