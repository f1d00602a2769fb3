package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import java.util.ArrayList;
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
}
