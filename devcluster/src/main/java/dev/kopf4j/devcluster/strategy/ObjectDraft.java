package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object on its way into the store.
 *
 * @param next the state to be, changed by the rules
 * @param before the state that is, null for a new object; not to be changed
 * @param subresource the endpoint that is written through, empty for the object itself
 * @param warnings words for the client
 */
public record ObjectDraft(
        Resource resource, ObjectNode next, @Nullable ObjectNode before, String subresource, List<String> warnings) {
    /** Whether the object is new. */
    public boolean isNew() {
        return before == null;
    }

    /** Whether only the status is written. */
    public boolean isStatus() {
        return subresource.equals("status");
    }
}
