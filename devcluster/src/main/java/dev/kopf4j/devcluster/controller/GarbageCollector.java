package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletes objects whose owners are gone, and carries out foreground and orphan deletion. */
public final class GarbageCollector {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";
    private final ServerContext state;
    private final DeleteVerb deleteVerb;
    private final FinalizerRemoval finalizerRemoval;
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    private record ObjectKey(String bucket, String namespace, String name) {}

    /** A collector over a store; {@link #start} lets it work. */
    public GarbageCollector(ServerContext state) {
        this.state = state;
        this.deleteVerb = new DeleteVerb(state);
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        for (ResourceBucket resourceBucket : state.objectStore().buckets()) {
            for (StoredObject object :
                    state.objectStore().list(resourceBucket, "").objects()) {
                changed(resourceBucket, new ObjectChange(object.version(), null, object));
            }
        }
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        StoredObject object = objectChange.object();
        ObjectKey objectKey = new ObjectKey(resourceBucket.id(), object.namespace(), object.name());
        reindex(objectKey, objectChange.before(), objectChange.after());
        if (objectChange.after() == null) {
            state.taskScheduler().run(() -> ownerGone(object));
        } else {
            if (!object.owners().isEmpty()) {
                state.taskScheduler().run(() -> check(objectKey));
            }
            if (object.deleting()) {
                state.taskScheduler().run(() -> carryOut(objectKey));
            }
        }
    }

    private void reindex(ObjectKey objectKey, @Nullable StoredObject before, @Nullable StoredObject after) {
        synchronized (dependents) {
            for (String owner : before == null ? List.<String>of() : before.owners()) {
                dependents.computeIfPresent(owner, (uid, places) -> {
                    places.remove(objectKey);
                    return places.isEmpty() ? null : places;
                });
            }
            for (String owner : after == null ? List.<String>of() : after.owners()) {
                dependents.computeIfAbsent(owner, uid -> new LinkedHashSet<>()).add(objectKey);
            }
        }
    }

    private List<ObjectKey> dependentsOf(String uid) {
        synchronized (dependents) {
            return List.copyOf(dependents.getOrDefault(uid, Set.of()));
        }
    }

    private @Nullable StoredObject at(ObjectKey objectKey) {
        return state.objectStore().bucket(objectKey.bucket()).get(objectKey.namespace(), objectKey.name());
    }

    private void ownerGone(StoredObject owner) {
        dependentsOf(owner.uid()).forEach(this::check);
        owner.owners().forEach(uid -> ownersThatWait(owner, uid));
    }

    private void ownersThatWait(StoredObject gone, String uid) {
        for (JsonNode reference : gone.tree().path("metadata").path("ownerReferences")) {
            if (Json.string(reference, "uid").equals(uid)) {
                owner(reference, gone.namespace()).ifPresent(foundOwner -> carryOut(foundOwner.objectKey()));
            }
        }
    }

    private record FoundOwner(ObjectKey objectKey, StoredObject object) {}

    /** The owner that a reference names, if it is there. */
    private Optional<FoundOwner> owner(JsonNode reference, String namespace) {
        Optional<Resource> resource = resource(reference);
        if (resource.isEmpty()) {
            return Optional.empty();
        }
        String where = resource.get().namespaced() ? namespace : "";
        ObjectKey objectKey = new ObjectKey(resource.get().bucket(), where, Json.string(reference, "name"));
        StoredObject object = at(objectKey);
        return object != null && object.uid().equals(Json.string(reference, "uid"))
                ? Optional.of(new FoundOwner(objectKey, object))
                : Optional.empty();
    }

    private Optional<Resource> resource(JsonNode reference) {
        return state.servedResources().findKind(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
    }

    /** Deletes an object whose owners are all gone or wait for it; takes away references to some that are gone. */
    private void check(ObjectKey objectKey) {
        StoredObject object = at(objectKey);
        if (object == null) {
            return;
        }
        ObjectNode tree = object.tree();
        if (tree.path("metadata").has("deletionTimestamp")) {
            return;
        }
        List<JsonNode> dangling = new ArrayList<>();
        boolean solid = false;
        boolean waiting = false;
        for (JsonNode reference : tree.path("metadata").path("ownerReferences")) {
            if (resource(reference).isEmpty()) {
                solid = true; // a kind that is not known may come yet
                continue;
            }
            Optional<FoundOwner> owner = owner(reference, object.namespace());
            if (owner.isEmpty()) {
                dangling.add(reference);
            } else if (waits(owner.get().object(), FOREGROUND)) {
                waiting = true;
            } else {
                solid = true;
            }
        }
        if (solid) {
            if (!dangling.isEmpty()) {
                removeReferences(objectKey, object, tree, dangling);
            }
        } else if (waiting || !dangling.isEmpty()) {
            delete(objectKey, object, waiting && !dependentsOf(object.uid()).isEmpty());
        }
    }

    private void delete(ObjectKey objectKey, StoredObject object, boolean foreground) {
        String policy = foreground
                ? "Foreground"
                : waitsLater(object, ORPHAN) ? "Orphan" : waitsLater(object, FOREGROUND) ? "Foreground" : "Background";
        for (Resource resource : state.servedResources().stored()) {
            if (resource.bucket().equals(objectKey.bucket())) {
                deleteVerb.deleteIfPresent(resource, objectKey.namespace(), objectKey.name(), object.uid(), policy);
            }
        }
    }

    private static boolean waitsLater(StoredObject object, String finalizer) {
        return object.tree()
                .path("metadata")
                .path("finalizers")
                .valueStream()
                .anyMatch(each -> each.stringValue().equals(finalizer));
    }

    private static boolean waits(StoredObject object, String finalizer) {
        return object.tree().path("metadata").has("deletionTimestamp") && waitsLater(object, finalizer);
    }

    /** Foreground: dependents first. Orphan: dependents lose their reference. */
    private void carryOut(ObjectKey objectKey) {
        StoredObject object = at(objectKey);
        if (object == null) {
            return;
        }
        if (waits(object, ORPHAN)) {
            for (ObjectKey dependent : dependentsOf(object.uid())) {
                orphan(dependent, object.uid());
            }
            letGo(objectKey, object, ORPHAN);
        } else if (waits(object, FOREGROUND)) {
            dependentsOf(object.uid()).forEach(this::check);
            boolean blocked = dependentsOf(object.uid()).stream().anyMatch(each -> blocks(each, object.uid()));
            if (!blocked) {
                letGo(objectKey, object, FOREGROUND);
            }
        }
    }

    private boolean blocks(ObjectKey dependent, String uid) {
        StoredObject object = at(dependent);
        return object != null
                && object.tree()
                        .path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(reference -> Json.string(reference, "uid").equals(uid)
                                && reference.path("blockOwnerDeletion").booleanValue(false));
    }

    private void orphan(ObjectKey dependent, String uid) {
        StoredObject object = at(dependent);
        if (object != null) {
            ObjectNode tree = object.tree();
            List<JsonNode> references = tree.path("metadata")
                    .path("ownerReferences")
                    .valueStream()
                    .filter(reference -> Json.string(reference, "uid").equals(uid))
                    .toList();
            removeReferences(dependent, object, tree, references);
        }
    }

    private void removeReferences(
            ObjectKey objectKey, StoredObject object, ObjectNode tree, List<JsonNode> references) {
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode present = (ArrayNode) metadata.path("ownerReferences");
        present.removeIf(references::contains);
        if (present.isEmpty()) {
            metadata.remove("ownerReferences");
        }
        if (state.objectStore().replace(state.objectStore().bucket(objectKey.bucket()), object, StoredObject.of(tree))
                == null) {
            state.taskScheduler().run(() -> check(objectKey));
        }
    }

    private void letGo(ObjectKey objectKey, StoredObject object, String finalizer) {
        if (!finalizerRemoval.remove(state.objectStore().bucket(objectKey.bucket()), object, finalizer)) {
            state.taskScheduler().run(() -> carryOut(objectKey));
        }
    }
}
