package dev.kopf4j.object;

import tools.jackson.databind.node.ObjectNode;

/** A change of an object in place, made again on a newer state if the object has changed meanwhile: idempotent. */
@FunctionalInterface
public interface PatchTransformation {
    /** Changes the tree. */
    void apply(ObjectNode body);

    /** True if the framework needs it, whatever becomes of the changes that handlers want. */
    default boolean isFrameworkPatch() {
        return false;
    }

    /** The same as a change that the framework needs. */
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
