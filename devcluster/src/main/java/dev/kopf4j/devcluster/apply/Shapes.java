package dev.kopf4j.devcluster.apply;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.type.Codec;
import dev.kopf4j.devcluster.type.TypeTable;
import java.util.ArrayList;
import tools.jackson.databind.node.ObjectNode;

/** Finds the shape of a resource's objects. */
public final class Shapes {
    private Shapes() {}

    /** The shape of whole objects. */
    public static Shape of(Resource resource) {
        CustomKind custom = resource.custom();
        if (custom != null) {
            return new SchemaShape(custom.schema(), true);
        }
        return TypeTable.get().of(resource).<Shape>map(TypeShape::new).orElse(Shape.UNKNOWN);
    }

    /** What a new object is compared with: the parts that objects of the type have even if nobody sets them. */
    static ObjectNode blank(Resource resource) {
        return TypeTable.get()
                .of(resource)
                .map(type -> Codec.canonical(type, Json.object(), new ArrayList<>()))
                .orElseGet(Json::object);
    }
}
