package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warns about objects of the cluster that name an owner in a namespace: {@code reportInvalidNamespaceOwnerRef} in
 * {@code pkg/controller/garbagecollector/graph_builder.go}, v1.33. Thread-safe.
 */
final class OwnerReferenceEvents {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerReferenceEvents.class);
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
                create(resource, object, reference);
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

    private void create(Resource resource, StoredObject object, JsonNode reference) {
        Instant now = state.instant();
        ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
        String time = Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano());
        event.putObject("metadata").put("name", object.name() + "." + time).put("namespace", "default");
        event.putObject("involvedObject")
                .put("apiVersion", resource.apiVersion())
                .put("kind", resource.kind())
                .put("name", object.name())
                .put("uid", object.uid());
        event.put("type", "Warning")
                .put("reason", "OwnerRefInvalidNamespace")
                .put("message", message(reference))
                .put("reportingComponent", COMPONENT)
                .put("firstTimestamp", state.now())
                .put("lastTimestamp", state.now())
                .put("count", 1)
                .putObject("source")
                .put("component", COMPONENT);
        Resource events = state.servedResources().findBucket("events").orElseThrow();
        if (client.mayWait(events, "default")) {
            state.taskScheduler().runWaiting(() -> create(events, event, object));
        } else {
            create(events, event, object);
        }
    }

    private void create(Resource events, ObjectNode event, StoredObject object) {
        try {
            client.create(events, event, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("the event about {} is refused", object);
        }
    }

    private static String message(JsonNode reference) {
        return "ownerRef [" + Json.string(reference, "apiVersion") + "/" + Json.string(reference, "kind")
                + ", namespace: , name: " + Json.string(reference, "name") + ", uid: " + Json.string(reference, "uid")
                + "] does not exist in namespace \"\"";
    }
}
