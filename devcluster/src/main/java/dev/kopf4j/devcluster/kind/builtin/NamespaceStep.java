package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces: the label with their name, the finalizer that holds them until they are empty, the phase. */
final class NamespaceStep implements KindRules {
    private static final String LABEL = "kubernetes.io/metadata.name";

    @Override
    public void prepare(Draft draft) {
        ObjectNode next = draft.next();
        ObjectNode metadata = Json.child(next, "metadata");
        Json.child(metadata, "labels").put(LABEL, Json.string(metadata, "name"));
        ObjectNode before = draft.before();
        if (before == null) {
            Json.child(next, "status").put("phase", "Active");
            holdUntilEmpty(next);
        } else if (!draft.subresource().equals("finalize")) {
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
    public List<Cause> check(Draft draft) {
        return draft.next()
                .path("spec")
                .path("finalizers")
                .valueStream()
                .map(JsonNode::stringValue)
                .filter(name -> !name.contains("/") && !name.equals("kubernetes"))
                .map(name -> Cause.invalidString(
                        "spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified"))
                .toList();
    }
}
