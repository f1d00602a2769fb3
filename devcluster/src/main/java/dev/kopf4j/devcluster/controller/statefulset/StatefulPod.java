package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of stateful sets, with the names and the claims of their ordinals: {@code initIdentity},
 * {@code updateStorage} and {@code getPersistentVolumeClaims} in
 * {@code pkg/controller/statefulset/stateful_set_utils.go}, v1.33. Pure.
 */
final class StatefulPod {
    private StatefulPod() {}

    static String name(JsonNode set, long ordinal) {
        return Json.string(set, "metadata", "name") + "-" + ordinal;
    }

    /** The pod of an ordinal, not created yet. */
    static ObjectNode create(JsonNode set, JsonNode template, long ordinal, String revision) {
        String name = name(set, ordinal);
        ObjectNode pod = PodTemplate.instantiate(template, "");
        ObjectNode metadata = Json.child(pod, "metadata");
        metadata.remove("generateName");
        metadata.put("name", name);
        Json.child(metadata, "labels")
                .put("statefulset.kubernetes.io/pod-name", name)
                .put("apps.kubernetes.io/pod-index", String.valueOf(ordinal))
                .put(Replica.REVISION, revision);
        ObjectNode spec = Json.child(pod, "spec");
        spec.put("hostname", name);
        String service = Json.string(set, "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        mount(spec, claims(set, ordinal));
        return pod;
    }

    private static void mount(ObjectNode spec, Map<String, ObjectNode> claims) {
        if (claims.isEmpty()) {
            return;
        }
        ArrayNode volumes = Json.array();
        claims.forEach((volume, claim) -> volumes.addObject()
                .put("name", volume)
                .putObject("persistentVolumeClaim")
                .put("claimName", Json.string(claim, "metadata", "name")));
        spec.path("volumes")
                .valueStream()
                .filter(volume -> !claims.containsKey(Json.string(volume, "name")))
                .forEach(volumes::add);
        spec.set("volumes", volumes);
    }

    /** The claims of an ordinal, by the names of their templates. */
    static Map<String, ObjectNode> claims(JsonNode set, long ordinal) {
        Map<String, ObjectNode> claims = new LinkedHashMap<>();
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            String volume = Json.string(template, "metadata", "name");
            ObjectNode claim = Json.object();
            ObjectNode metadata = (ObjectNode) template.path("metadata").deepCopy();
            metadata.remove("creationTimestamp");
            metadata.put("name", volume + "-" + name(set, ordinal));
            JsonNode matched = set.at("/spec/selector/matchLabels");
            if (matched.isObject()) {
                Json.child(metadata, "labels").setAll((ObjectNode) matched.deepCopy());
            }
            claim.set("metadata", metadata);
            claim.set("spec", template.path("spec").deepCopy());
            claims.put(volume, claim);
        }
        return claims;
    }
}
