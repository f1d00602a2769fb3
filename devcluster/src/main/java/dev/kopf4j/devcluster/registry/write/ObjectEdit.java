package dev.kopf4j.devcluster.registry.write;

import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the next state of an object from a copy of the present one. May be called again if another write comes between.
 */
@FunctionalInterface
public interface ObjectEdit {
    /** The next state; the copy may be changed. */
    ObjectNode apply(ObjectNode present);
}
