package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.resource.Resource;
import tools.jackson.databind.node.ObjectNode;

/** Converts objects of built-in kinds that several groups or versions show, each in its own form. Pure. */
public final class BuiltinConversion {
    private BuiltinConversion() {}

    /** Whether a resource shows objects in another form than the store keeps them. */
    public static boolean has(Resource resource) {
        return EventConversion.has(resource) || AutoscalerConversion.has(resource);
    }

    /** An object of the store as the resource shows it. */
    public static ObjectNode shown(Resource resource, ObjectNode stored) {
        return AutoscalerConversion.has(resource)
                ? AutoscalerConversion.shown(stored)
                : EventConversion.shown(resource, stored);
    }

    /** An object of the resource as the store keeps it. */
    public static ObjectNode stored(Resource resource, ObjectNode shown) {
        return AutoscalerConversion.has(resource)
                ? AutoscalerConversion.stored(shown)
                : EventConversion.stored(resource, shown);
    }
}
