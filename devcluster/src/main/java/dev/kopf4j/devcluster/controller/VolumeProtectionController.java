package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Lets claims and volumes go that are being deleted and that nobody uses. It takes its time: the API server alone,
 * which the recorded one is, would hold them for ever.
 */
public final class VolumeProtectionController {
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final Map<String, String> FINALIZERS = Map.of(
            "persistentvolumeclaims", "kubernetes.io/pvc-protection",
            "persistentvolumes", "kubernetes.io/pv-protection");
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private final ServerContext state;
    private final FinalizerRemoval finalizerRemoval;

    /** A controller over a store; {@link #start} lets it work. */
    public VolumeProtectionController(ServerContext state) {
        this.state = state;
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        FINALIZERS
                .keySet()
                .forEach(bucket -> state.objectStore().list(state.objectStore().bucket(bucket), "").objects().stream()
                        .filter(StoredObject::deleting)
                        .forEach(object -> later(bucket, object)));
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        StoredObject object = objectChange.object();
        if (FINALIZERS.containsKey(resourceBucket.id())) {
            if (objectChange.after() != null && object.deleting()) {
                later(resourceBucket.id(), object);
            }
        } else if (resourceBucket.id().equals("pods")) {
            claims(object.tree()).forEach(claim -> {
                StoredObject used =
                        state.objectStore().bucket("persistentvolumeclaims").get(object.namespace(), claim);
                if (used != null && used.deleting()) {
                    later("persistentvolumeclaims", used);
                }
            });
        }
    }

    private void later(String bucket, StoredObject object) {
        state.taskScheduler().later(DELAY, () -> release(bucket, object.namespace(), object.name()));
    }

    private void release(String id, String namespace, String name) {
        ResourceBucket resourceBucket = state.objectStore().bucket(id);
        StoredObject current = resourceBucket.get(namespace, name);
        if (current == null || !current.deleting() || isUsed(current, id)) {
            return;
        }
        if (!finalizerRemoval.remove(resourceBucket, current, FINALIZERS.getOrDefault(id, ""))) {
            state.taskScheduler().run(() -> release(id, namespace, name));
        }
    }

    private boolean isUsed(StoredObject object, String bucket) {
        if (bucket.equals("persistentvolumes")) {
            return Json.string(object.tree(), "status", "phase").equals("Bound");
        }
        return state.objectStore().list(state.objectStore().bucket("pods"), object.namespace()).objects().stream()
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
