package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.text.PlaceText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a stream follows. Immutable.
 *
 * @param resource the resource
 * @param namespace the namespace; null for the whole cluster
 */
record StreamKey(Resource resource, @Nullable String namespace) {
    /** The stream as people know it. */
    String title() {
        return resource + " " + PlaceText.of(namespace);
    }

    /** True if objects of the resource, in any of its versions, and of the namespace are in a stream of this key. */
    boolean has(Resource other, @Nullable String where) {
        return resource.group().equals(other.group())
                && resource.plural().equals(other.plural())
                && (namespace == null || namespace.equals(where));
    }

    /** True if a stream of this key tells of the object. */
    boolean isOf(ObjectNode object) {
        return resource.kind().equals(object.path("kind").asString(""))
                && resource.apiVersion().equals(object.path("apiVersion").asString(""))
                && (namespace == null
                        || namespace.equals(
                                object.path("metadata").path("namespace").asString("")));
    }

    /**
     * True if a stream of this key can go on under the other key. With a new subresource it cannot: patches would go
     * another way.
     */
    boolean isMetBy(StreamKey other) {
        return equals(other)
                && resource.subresources().equals(other.resource.subresources())
                && resource.namespaced() == other.resource.namespaced()
                && resource.kind().equals(other.resource.kind());
    }
}
