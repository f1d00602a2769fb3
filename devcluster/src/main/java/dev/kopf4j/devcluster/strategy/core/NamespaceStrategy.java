package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces: the label with their name, the finalizer that holds them until they are empty, the phase. */
public final class NamespaceStrategy implements ResourceStrategy {
    private static final String LABEL = "kubernetes.io/metadata.name";

    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode next = objectDraft.next();
        ObjectNode metadata = Json.child(next, "metadata");
        Json.child(metadata, "labels").put(LABEL, Json.string(metadata, "name"));
        ObjectNode before = objectDraft.before();
        if (before == null) {
            Json.child(next, "status").put("phase", "Active");
            holdUntilEmpty(next);
        } else if (!objectDraft.subresource().equals("finalize")) {
            next.set("spec", before.path("spec"));
        }
    }

    private static void holdUntilEmpty(ObjectNode next) {
        ObjectNode spec = Json.child(next, "spec");
        ArrayNode finalizers =
                spec.get("finalizers") instanceof ArrayNode present ? present : spec.putArray("finalizers");
        if (finalizers.valueStream().noneMatch(each -> each.stringValue().equals("kubernetes"))) {
            finalizers.add("kubernetes");
        }
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        return objectDraft
                .next()
                .path("spec")
                .path("finalizers")
                .valueStream()
                .map(JsonNode::stringValue)
                .filter(name -> !name.contains("/") && !name.equals("kubernetes"))
                .map(name -> FieldError.invalidString(
                        "spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified"))
                .toList();
    }
}
