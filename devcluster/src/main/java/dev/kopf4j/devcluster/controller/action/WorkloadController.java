package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.storage.StoredObject;

/**
 * Brings one object closer to its spec. Called again whenever the object or a dependent changes, in a task of the
 * server.
 */
@FunctionalInterface
public interface WorkloadController {
    /** Looks at an object that exists, and acts; called as often as there may be something to do. */
    void sync(StoredObject object);

    /** Hears that an object is not there any more; does nothing by default. */
    default void gone(String namespace, String name) {}
}
