package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The finalizers of an object. Pure. */
public final class FinalizerList {
    private FinalizerList() {}

    /**
     * Adds a finalizer, unless it is there already.
     *
     * @param holder the metadata of an object, or the spec of a namespace
     */
    public static void add(ObjectNode holder, String finalizer) {
        ArrayNode finalizers = Json.list(holder, "finalizers");
        if (finalizers.valueStream().noneMatch(each -> each.asString().equals(finalizer))) {
            finalizers.add(finalizer);
        }
    }
}
