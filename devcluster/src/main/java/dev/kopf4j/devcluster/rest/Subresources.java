package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.kind.Draft;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which part of an object each endpoint may write. */
final class Subresources {
    private Subresources() {}

    /** Takes back in place what the endpoint may not change. */
    static void isolate(Draft draft) {
        ObjectNode before = Objects.requireNonNull(draft.before());
        ObjectNode next = draft.next();
        if (draft.isStatus()) {
            onlyStatus(draft, before, next);
        } else if (!draft.subresource().equals("approval") && draft.resource().hasStatus()) {
            restore(next, before, "status");
        }
    }

    private static void onlyStatus(Draft draft, ObjectNode before, ObjectNode next) {
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
