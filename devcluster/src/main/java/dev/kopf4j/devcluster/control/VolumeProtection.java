package dev.kopf4j.devcluster.control;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.rest.Finalizers;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets claims and volumes go that are being deleted and that nobody uses. It takes its time: the API server alone,
 * which the recorded one is, would hold them for ever.
 */
public final class VolumeProtection {
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final Map<String, String> FINALIZERS = Map.of(
            "persistentvolumeclaims", "kubernetes.io/pvc-protection",
            "persistentvolumes", "kubernetes.io/pv-protection");
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private final ServerState state;

    /** A controller over a store; {@link #start} lets it work. */
    public VolumeProtection(ServerState state) {
        this.state = state;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        FINALIZERS
                .keySet()
                .forEach(bucket -> state.store().list(state.store().bucket(bucket), "").objects().stream()
                        .filter(StoredObject::deleting)
                        .forEach(object -> later(bucket, object)));
    }

    private void changed(Bucket bucket, Change change) {
        StoredObject object = change.object();
        if (FINALIZERS.containsKey(bucket.id())) {
            if (change.after() != null && object.deleting()) {
                later(bucket.id(), object);
            }
        } else if (bucket.id().equals("pods")) {
            claims(object.tree()).forEach(claim -> {
                StoredObject used =
                        state.store().bucket("persistentvolumeclaims").get(object.namespace(), claim);
                if (used != null && used.deleting()) {
                    later("persistentvolumeclaims", used);
                }
            });
        }
    }

    private void later(String bucket, StoredObject object) {
        state.tasks().later(DELAY, () -> release(bucket, object.namespace(), object.name()));
    }

    private void release(String id, String namespace, String name) {
        Bucket bucket = state.store().bucket(id);
        StoredObject current = bucket.get(namespace, name);
        if (current == null || !current.deleting() || isUsed(current, id)) {
            return;
        }
        ObjectNode object = current.tree();
        ArrayNode finalizers = Json.list(Json.child(object, "metadata"), "finalizers");
        int held = finalizers.size();
        finalizers.removeIf(each -> each.asString().equals(FINALIZERS.get(id)));
        if (finalizers.size() == held) {
            return;
        }
        boolean done = Finalizers.released(object)
                ? state.store().remove(bucket, current) > 0
                : state.store().replace(bucket, current, StoredObject.of(object)) != null;
        if (!done) {
            state.tasks().run(() -> release(id, namespace, name));
        }
    }

    private boolean isUsed(StoredObject object, String bucket) {
        if (bucket.equals("persistentvolumes")) {
            return Json.string(object.tree(), "status", "phase").equals("Bound");
        }
        return state.store().list(state.store().bucket("pods"), object.namespace()).objects().stream()
                .map(StoredObject::tree)
                .filter(pod -> !ENDED.contains(Json.string(pod, "status", "phase")))
                .anyMatch(pod -> claims(pod).contains(object.name()));
    }

    private static Set<String> claims(JsonNode pod) {
        return pod.path("spec")
                .path("volumes")
                .valueStream()
                .map(volume -> Json.string(volume, "persistentVolumeClaim", "claimName"))
                .filter(claim -> !claim.isEmpty())
                .collect(java.util.stream.Collectors.toSet());
    }
}
