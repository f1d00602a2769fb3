package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replica sets as deployments make them: {@code getNewReplicaSet} in {@code sync.go}, v1.33. Pure. */
final class NewReplicaSet {
    private static final String HASH = "pod-template-hash";

    private NewReplicaSet() {}

    static ObjectNode of(String deployment, JsonNode spec, String hash, long replicas) {
        ObjectNode set = Json.object();
        ObjectNode metadata = set.putObject("metadata").put("name", deployment + "-" + hash);
        ObjectNode template = (ObjectNode) spec.path("template").deepCopy();
        ObjectNode labels =
                Json.child(Json.child(template, "metadata"), "labels").put(HASH, hash);
        metadata.set("labels", labels.deepCopy());
        ObjectNode selector = (ObjectNode) spec.path("selector").deepCopy();
        Json.child(selector, "matchLabels").put(HASH, hash);
        ObjectNode setSpec = set.putObject("spec").put("replicas", replicas);
        if (spec.has("minReadySeconds")) {
            setSpec.set("minReadySeconds", spec.path("minReadySeconds"));
        }
        setSpec.set("selector", selector);
        setSpec.set("template", template);
        return set;
    }
}
