package dev.kopf4j.engine.maintenance;

import dev.kopf4j.Resource;
import dev.kopf4j.object.ObjectReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object as a cluster has it. The body is not changed.
 *
 * @param resource what it is one of
 * @param body its fields
 */
record FoundObject(Resource resource, ObjectNode body) {
    private ObjectReference reference() {
        return ObjectReference.of(body);
    }

    String name() {
        return body.path("metadata").path("name").asString("");
    }

    @Nullable String namespace() {
        return reference().namespace();
    }

    boolean isDeleted() {
        return body.path("metadata").has("deletionTimestamp");
    }

    /** As kubectl names it: {@code kopfexamples.kopf.dev default/x}. */
    @Override
    public String toString() {
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return resource.plural() + group + " " + reference();
    }
}
