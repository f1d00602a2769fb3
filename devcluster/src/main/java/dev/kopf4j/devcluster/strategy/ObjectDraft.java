package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object on its way into the store.
 *
 * @param next the next state; strategies change it in place
 * @param before the stored state, which must not be changed; null for a new object
 * @param subresource the endpoint that is written through, empty for the object itself
 */
public record ObjectDraft(
        Resource resource, ObjectNode next, @Nullable ObjectNode before, String subresource) {
    /** Whether the object is new. */
    public boolean isNew() {
        return before == null;
    }

    /** Whether only the status is written. */
    public boolean isStatus() {
        return subresource.equals("status");
    }
}
