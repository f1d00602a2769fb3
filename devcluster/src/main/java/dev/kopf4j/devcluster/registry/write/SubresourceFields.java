package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Restores the parts of an object that an endpoint may not write ({@code GetResetFields} and {@code PrepareForUpdate}
 * of the strategies, v1.33). Pure.
 */
final class SubresourceFields {
    private SubresourceFields() {}

    /** Restores in place what the endpoint may not change. */
    static void keepOtherParts(ObjectDraft draft, ResourceStrategy strategy) {
        ObjectNode before = Objects.requireNonNull(draft.before());
        if (draft.isStatus()) {
            keepAllButStatus(draft, before, strategy);
            return;
        }
        for (String field : strategy.resetFields(draft.subresource())) {
            if (!field.equals("status") || draft.resource().hasStatus()) {
                restore(draft.next(), before, field);
            }
        }
    }

    private static void keepAllButStatus(ObjectDraft draft, ObjectNode before, ResourceStrategy strategy) {
        ObjectNode next = draft.next();
        JsonNode metadata = next.get("metadata");
        for (String name : List.copyOf(next.propertyNames())) {
            if (!name.equals("status")) {
                next.remove(name);
            }
        }
        before.properties().forEach(entry -> {
            if (!entry.getKey().equals("status")) {
                next.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
        if (!draft.resource().isCustom()) {
            next.set("metadata", metadata);
            for (String field : strategy.metadataKeptByStatus()) {
                restore((ObjectNode) metadata, (ObjectNode) before.get("metadata"), field);
            }
        } else {
            restore((ObjectNode) next.get("metadata"), (ObjectNode) metadata, "managedFields");
        }
    }

    private static void restore(ObjectNode next, ObjectNode before, String name) {
        JsonNode former = before.get(name);
        if (former == null) {
            next.remove(name);
        } else {
            next.set(name, former.deepCopy());
        }
    }
}
