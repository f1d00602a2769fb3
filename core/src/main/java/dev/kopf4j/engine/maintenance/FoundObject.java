package dev.kopf4j.engine.maintenance;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
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

    /** The options of a request that deletes this object, and no other one of its name. */
    ObjectNode thisOne() {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", reference().uid());
        return options;
    }

    /** As kubectl names it: {@code kopfexamples.kopf.dev default/x}. */
    @Override
    public String toString() {
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return resource.plural() + group + " " + reference();
    }
}
