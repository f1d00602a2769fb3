package dev.kopf4j.devcluster.show;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.Defaulting;
import dev.kopf4j.devcluster.schema.Pruning;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.ArrayList;
import tools.jackson.databind.node.ObjectNode;

/** Stored objects as a resource has them: mostly as they are, else under other names or by another schema. */
public final class Shown {
    private Shown() {}

    /** Whether the stored bytes are what the resource shows. */
    static boolean asStored(Resource resource) {
        CustomKind custom = resource.custom();
        return custom == null ? !Aliases.has(resource) : custom.uniform();
    }

    /** The object as a fresh tree. */
    public static ObjectNode tree(Resource resource, StoredObject object) {
        ObjectNode tree = object.tree(resource.apiVersion(), resource.kind());
        CustomKind custom = resource.custom();
        if (custom != null && !custom.uniform()) {
            Pruning.prune(custom.schema(), tree, new ArrayList<>());
            ObjectNode metadata = (ObjectNode) tree.get("metadata");
            tree.remove("metadata");
            Defaulting.apply(custom.schema(), tree);
            tree.set("metadata", metadata);
        }
        return Aliases.shown(resource, tree);
    }

    /** An object of the resource, ready for the store. */
    public static StoredObject store(Resource resource, ObjectNode object) {
        return StoredObject.of(Aliases.stored(resource, object));
    }
}
