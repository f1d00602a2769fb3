package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which part of an object each endpoint may write. */
final class SubresourceFields {
    private SubresourceFields() {}

    /** Takes back in place what the endpoint may not change. */
    static void keepOtherParts(ObjectDraft objectDraft, ResourceStrategy strategy) {
        ObjectNode before = Objects.requireNonNull(objectDraft.before());
        ObjectNode next = objectDraft.next();
        if (objectDraft.isStatus()) {
            onlyStatus(objectDraft, before, next);
        } else {
            for (String field : strategy.resetFields(objectDraft.subresource())) {
                if (!field.equals("status") || objectDraft.resource().hasStatus()) {
                    restore(next, before, field);
                }
            }
        }
    }

    private static void onlyStatus(ObjectDraft objectDraft, ObjectNode before, ObjectNode next) {
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
        if (!objectDraft.resource().isCustom()) {
            next.set("metadata", metadata);
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
