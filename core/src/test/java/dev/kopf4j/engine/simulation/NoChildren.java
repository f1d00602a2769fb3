package dev.kopf4j.engine.simulation;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.children.ChildrenApi;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** For operators that write no children. */
public record NoChildren() implements ChildrenApi {
    @Override
    public ObjectNode apply(
            Resource resource,
            @Nullable String namespace,
            String name,
            String fieldManager,
            boolean force,
            ObjectNode configuration) {
        throw new AssertionError("no child is expected: " + configuration);
    }

    @Override
    public ObjectNode read(Resource resource, @Nullable String namespace, String name) {
        throw new AssertionError("no child is expected: " + name);
    }

    @Override
    public void delete(Resource resource, @Nullable String namespace, String name, ObjectNode options) {
        throw new AssertionError("no child is expected: " + name);
    }
}
