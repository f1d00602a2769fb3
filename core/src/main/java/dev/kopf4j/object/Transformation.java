package dev.kopf4j.object;

import tools.jackson.databind.node.ObjectNode;

/** A change of an object in place, made again on a newer state if the object has changed meanwhile: idempotent. */
@FunctionalInterface
public interface Transformation {
    /** Changes the tree. */
    void apply(ObjectNode body);
}
