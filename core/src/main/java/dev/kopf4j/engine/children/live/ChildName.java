package dev.kopf4j.engine.children.live;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The place of an object among those of its resource. Immutable.
 *
 * @param namespace its namespace; null if it is cluster-scoped
 */
record ChildName(@Nullable String namespace, String name) {
    static ChildName of(ObjectNode body) {
        String namespace = body.path("metadata").path("namespace").asString("");
        return new ChildName(
                namespace.isEmpty() ? null : namespace.intern(),
                body.path("metadata").path("name").asString(""));
    }
}
