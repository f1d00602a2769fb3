package dev.kopf4j.devcluster.control;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.rest.Deleting;
import dev.kopf4j.devcluster.rest.Finalizers;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
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
    private final ServerState state;
    private final Deleting deleting;
    private final Map<String, Set<Place>> dependents = new HashMap<>();

    private record Place(String bucket, String namespace, String name) {}

    /** A collector over a store; {@link #start} lets it work. */
    public GarbageCollector(ServerState state) {
        this.state = state;
        this.deleting = new Deleting(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        for (Bucket bucket : state.store().buckets()) {
            for (StoredObject object : state.store().list(bucket, "").objects()) {
                changed(bucket, new Change(object.version(), null, object));
            }
        }
    }

    private void changed(Bucket bucket, Change change) {
        StoredObject object = change.object();
        Place place = new Place(bucket.id(), object.namespace(), object.name());
        reindex(place, change.before(), change.after());
        if (change.after() == null) {
            state.tasks().run(() -> ownerGone(object));
        } else {
            if (!object.owners().isEmpty()) {
                state.tasks().run(() -> check(place));
            }
            if (object.deleting()) {
                state.tasks().run(() -> carryOut(place));
            }
        }
    }

    private void reindex(Place place, @Nullable StoredObject before, @Nullable StoredObject after) {
        synchronized (dependents) {
            for (String owner : before == null ? List.<String>of() : before.owners()) {
                dependents.computeIfPresent(owner, (uid, places) -> {
                    places.remove(place);
                    return places.isEmpty() ? null : places;
                });
            }
            for (String owner : after == null ? List.<String>of() : after.owners()) {
                dependents.computeIfAbsent(owner, uid -> new LinkedHashSet<>()).add(place);
            }
        }
    }

    private List<Place> dependentsOf(String uid) {
        synchronized (dependents) {
            return List.copyOf(dependents.getOrDefault(uid, Set.of()));
        }
    }

    private @Nullable StoredObject at(Place place) {
        return state.store().bucket(place.bucket()).get(place.namespace(), place.name());
    }

    private void ownerGone(StoredObject owner) {
        dependentsOf(owner.uid()).forEach(this::check);
        owner.owners().forEach(uid -> ownersThatWait(owner, uid));
    }

    private void ownersThatWait(StoredObject gone, String uid) {
        for (JsonNode reference : gone.tree().path("metadata").path("ownerReferences")) {
            if (Json.string(reference, "uid").equals(uid)) {
                owner(reference, gone.namespace()).ifPresent(found -> carryOut(found.place()));
            }
        }
    }

    private record Found(Place place, StoredObject object) {}

    /** The owner that a reference names, if it is there. */
    private Optional<Found> owner(JsonNode reference, String namespace) {
        Optional<Resource> resource = resource(reference);
        if (resource.isEmpty()) {
            return Optional.empty();
        }
        String where = resource.get().namespaced() ? namespace : "";
        Place place = new Place(resource.get().bucket(), where, Json.string(reference, "name"));
        StoredObject object = at(place);
        return object != null && object.uid().equals(Json.string(reference, "uid"))
                ? Optional.of(new Found(place, object))
                : Optional.empty();
    }

    private Optional<Resource> resource(JsonNode reference) {
        return state.resources().findKind(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
    }

    /** Deletes an object whose owners are all gone or wait for it; takes away references to some that are gone. */
    private void check(Place place) {
        StoredObject object = at(place);
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
            Optional<Found> owner = owner(reference, object.namespace());
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
                removeReferences(place, object, tree, dangling);
            }
        } else if (waiting || !dangling.isEmpty()) {
            delete(place, object, waiting && !dependentsOf(object.uid()).isEmpty());
        }
    }

    private void delete(Place place, StoredObject object, boolean foreground) {
        String policy = foreground
                ? "Foreground"
                : waitsLater(object, ORPHAN) ? "Orphan" : waitsLater(object, FOREGROUND) ? "Foreground" : "Background";
        for (Resource resource : state.resources().stored()) {
            if (resource.bucket().equals(place.bucket())) {
                deleting.deleteIfPresent(resource, place.namespace(), place.name(), object.uid(), policy);
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
    private void carryOut(Place place) {
        StoredObject object = at(place);
        if (object == null) {
            return;
        }
        if (waits(object, ORPHAN)) {
            for (Place dependent : dependentsOf(object.uid())) {
                orphan(dependent, object.uid());
            }
            letGo(place, object, ORPHAN);
        } else if (waits(object, FOREGROUND)) {
            dependentsOf(object.uid()).forEach(this::check);
            boolean blocked = dependentsOf(object.uid()).stream().anyMatch(each -> blocks(each, object.uid()));
            if (!blocked) {
                letGo(place, object, FOREGROUND);
            }
        }
    }

    private boolean blocks(Place dependent, String uid) {
        StoredObject object = at(dependent);
        return object != null
                && object.tree()
                        .path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(reference -> Json.string(reference, "uid").equals(uid)
                                && reference.path("blockOwnerDeletion").booleanValue(false));
    }

    private void orphan(Place dependent, String uid) {
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

    private void removeReferences(Place place, StoredObject object, ObjectNode tree, List<JsonNode> references) {
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode present = (ArrayNode) metadata.path("ownerReferences");
        present.removeIf(references::contains);
        if (present.isEmpty()) {
            metadata.remove("ownerReferences");
        }
        if (state.store().replace(state.store().bucket(place.bucket()), object, StoredObject.of(tree)) == null) {
            state.tasks().run(() -> check(place));
        }
    }

    private void letGo(Place place, StoredObject object, String finalizer) {
        ObjectNode tree = object.tree();
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode finalizers = (ArrayNode) metadata.path("finalizers");
        finalizers.removeIf(each -> each.stringValue().equals(finalizer));
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        }
        Bucket bucket = state.store().bucket(place.bucket());
        boolean done = Finalizers.released(tree)
                ? state.store().remove(bucket, object) > 0
                : state.store().replace(bucket, object, StoredObject.of(tree)) != null;
        if (!done) {
            state.tasks().run(() -> carryOut(place));
        }
    }
}
