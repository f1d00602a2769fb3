package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warns about objects of the cluster that name an owner in a namespace: {@code reportInvalidNamespaceOwnerRef} in
 * {@code pkg/controller/garbagecollector/graph_builder.go}, v1.33. Thread-safe.
 */
final class OwnerReferenceEvents {
    private static final String COMPONENT = "garbage-collector-controller";
    private final ServerContext state;
    private final ControllerClient client;
    private final Set<Reported> reported = ConcurrentHashMap.newKeySet();

    OwnerReferenceEvents(ServerContext state, ControllerClient client) {
        this.state = state;
        this.client = client;
    }

    private record Reported(String uid, String owner) {}

    /** Warns about each such owner of an object that there is, once. */
    void report(Resource resource, StoredObject object) {
        for (JsonNode reference : object.tree().path("metadata").path("ownerReferences")) {
            Reported wanted = new Reported(object.uid(), Json.string(reference, "uid"));
            if (!reported.contains(wanted) && isSomewhere(reference) && reported.add(wanted)) {
                warn(resource, object, reference);
            }
        }
    }

    private boolean isSomewhere(JsonNode reference) {
        String uid = Json.string(reference, "uid");
        return state.servedResources()
                .findKind(Json.string(reference, "apiVersion"), Json.string(reference, "kind"))
                .filter(Resource::namespaced)
                .filter(owners -> state.objectStore().list(state.bucket(owners), "").objects().stream()
                        .anyMatch(owner -> owner.uid().equals(uid)))
                .isPresent();
    }

    private void warn(Resource resource, StoredObject object, JsonNode reference) {
        Instant now = state.instant();
        String time = Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano());
        ObjectNode about = Json.object()
                .put("apiVersion", resource.apiVersion())
                .put("kind", resource.kind())
                .put("name", object.name())
                .put("uid", object.uid());
        String name = object.name() + "." + time;
        client.warn(about, "default", name, "OwnerRefInvalidNamespace", message(reference), COMPONENT);
    }

    private static String message(JsonNode reference) {
        return "ownerRef [" + Json.string(reference, "apiVersion") + "/" + Json.string(reference, "kind")
                + ", namespace: , name: " + Json.string(reference, "name") + ", uid: " + Json.string(reference, "uid")
                + "] does not exist in namespace \"\"";
    }
}
