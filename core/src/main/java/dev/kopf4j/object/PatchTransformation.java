package dev.kopf4j.object;

import tools.jackson.databind.node.ObjectNode;

/**
 * A change of an object in place. It must be idempotent: if the object has changed in between, it is applied again to
 * the newer state.
 */
@FunctionalInterface
public interface PatchTransformation {
    /** Changes the tree. */
    void apply(ObjectNode body);

    /** True if the framework needs this change, whatever happens to the changes that handlers want. */
    default boolean isFrameworkPatch() {
        return false;
    }

    /** Marks a change as one that the framework needs. */
    static PatchTransformation frameworkPatch(PatchTransformation change) {
        return new PatchTransformation() {
            @Override
            public void apply(ObjectNode body) {
                change.apply(body);
            }

            @Override
            public boolean isFrameworkPatch() {
                return true;
            }
        };
    }
}
