package dev.kopf4j.devcluster.apply;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.type.TypeTable;

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
}
