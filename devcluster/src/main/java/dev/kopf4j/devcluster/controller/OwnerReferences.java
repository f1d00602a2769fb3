package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.PropagationPolicy;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds the owners that references name, in the store. Thread-safe. */
final class OwnerReferences {
    private final ServerContext state;

    OwnerReferences(ServerContext state) {
        this.state = state;
    }

    /** An owner and its place. */
    record Owner(ObjectKey key, StoredObject object) {}

    /** The references of an object. */
    static Stream<JsonNode> of(JsonNode object) {
        return object.path("metadata").path("ownerReferences").valueStream();
    }

    /** The object at a place. */
    @Nullable StoredObject at(ObjectKey key) {
        return state.objectStore().bucket(key.bucket()).get(key.namespace(), key.name());
    }

    /** The owner that a reference names, if it exists. */
    Optional<Owner> find(JsonNode reference, String namespace) {
        return resource(reference).flatMap(resource -> {
            String home = resource.namespaced() ? namespace : "";
            ObjectKey key = new ObjectKey(resource.bucket(), home, Json.string(reference, "name"));
            StoredObject object = at(key);
            return object != null && object.uid().equals(Json.string(reference, "uid"))
                    ? Optional.of(new Owner(key, object))
                    : Optional.empty();
        });
    }

    private Optional<Resource> resource(JsonNode reference) {
        return state.servedResources().findKind(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
    }

    /**
     * The owners of an object, sorted: {@code classifyReferences} in
     * {@code pkg/controller/garbagecollector/garbagecollector.go}, v1.33.
     *
     * @param dangling references to owners that are gone
     * @param solid whether an owner keeps the object: it exists, or its kind may still come, and it does not wait for
     *     its dependents
     * @param waiting whether an owner waits until its dependents are deleted
     */
    record Classification(List<JsonNode> dangling, boolean solid, boolean waiting) {}

    Classification classify(StoredObject object) {
        List<JsonNode> dangling = new ArrayList<>();
        boolean solid = false;
        boolean waiting = false;
        for (JsonNode reference : of(object.tree()).toList()) {
            Optional<Owner> owner = find(reference, object.namespace());
            if (resource(reference).isEmpty()) {
                solid = true; // a custom resource definition for an unknown kind may still come
            } else if (owner.isEmpty()) {
                dangling.add(reference);
            } else if (PropagationPolicy.FOREGROUND.isDue(owner.get().object().tree())) {
                waiting = true;
            } else {
                solid = true;
            }
        }
        return new Classification(dangling, solid, waiting);
    }
}
