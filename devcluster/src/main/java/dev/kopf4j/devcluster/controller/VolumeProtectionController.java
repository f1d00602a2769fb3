package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Removes the protection finalizer of deleted claims and volumes that are not in use, after 3 seconds: see
 * {@code pkg/controller/volume/pvcprotection} and {@code pkg/controller/volume/pvprotection}, v1.33. The recorded
 * server ran without controllers, where the finalizers stay for ever.
 */
public final class VolumeProtectionController {
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final Map<String, String> FINALIZERS = Map.of(
            Buckets.PERSISTENT_VOLUME_CLAIMS, "kubernetes.io/pvc-protection",
            Buckets.PERSISTENT_VOLUMES, "kubernetes.io/pv-protection");
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
                .forEach(bucket -> state.follow(bucket, object -> {
                    if (object.deleting()) {
                        schedule(bucket, object);
                    }
                }));
    }

    private Stream<StoredObject> list(String bucket, String namespace) {
        return state.objectStore().list(state.objectStore().bucket(bucket), namespace).objects().stream();
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        if (bucket.id().equals(Buckets.PODS)) {
            claims(object.tree()).forEach(claim -> podChanged(object.namespace(), claim));
        }
    }

    private void podChanged(String namespace, String claim) {
        StoredObject used =
                state.objectStore().bucket(Buckets.PERSISTENT_VOLUME_CLAIMS).get(namespace, claim);
        if (used != null && used.deleting()) {
            schedule(Buckets.PERSISTENT_VOLUME_CLAIMS, used);
        }
    }

    private void schedule(String bucket, StoredObject object) {
        state.taskScheduler().later(DELAY, () -> release(bucket, object.namespace(), object.name()));
    }

    private void release(String id, String namespace, String name) {
        ResourceBucket bucket = state.objectStore().bucket(id);
        StoredObject current = bucket.get(namespace, name);
        if (current == null || !current.deleting() || isUsed(current, id)) {
            return;
        }
        if (!finalizerRemoval.remove(bucket, current, FINALIZERS.getOrDefault(id, ""))) {
            state.taskScheduler().run(() -> release(id, namespace, name));
        }
    }

    /** A claim is used by pods that have a node, also if they have ended: {@code podUsesPVC}. */
    private boolean isUsed(StoredObject object, String bucket) {
        if (bucket.equals(Buckets.PERSISTENT_VOLUMES)) {
            return Json.string(object.tree(), "status", "phase").equals("Bound");
        }
        return list(Buckets.PODS, object.namespace())
                .map(StoredObject::tree)
                .filter(pod -> !Json.string(pod, "spec", "nodeName").isEmpty())
                .anyMatch(pod -> claims(pod).contains(object.name()));
    }

    private static Set<String> claims(JsonNode pod) {
        return Json.items(pod, "spec", "volumes")
                .map(volume -> Json.string(volume, "persistentVolumeClaim", "claimName"))
                .filter(claim -> !claim.isEmpty())
                .collect(Collectors.toSet());
    }
}
