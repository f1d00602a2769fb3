package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.PropagationPolicy;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphan deletion:
 * {@code pkg/controller/garbagecollector/garbagecollector.go}, v1.33.
 */
public final class GarbageCollector {
    private static final UserInfo ACCOUNT = UserInfo.controller("generic-garbage-collector");
    private final ServerContext state;
    private final ControllerDeletion deletion;
    private final FinalizerRemoval finalizerRemoval;
    private final OwnerReferenceEvents events;
    private final OwnerReferences references;
    private final OwnerGraph graph = new OwnerGraph();
    /** What waits for its dependents, by its uid. */
    private final Map<String, ObjectKey> waiting = new ConcurrentHashMap<>();

    /**
     * Creates a collector for a store; {@link #start} lets it work.
     *
     * @param foreignOwners whether owners that were never in the store are taken for existing elsewhere
     */
    public GarbageCollector(ServerContext state, ControllerClient client, boolean foreignOwners) {
        this.state = state;
        this.deletion = client.deletion();
        this.finalizerRemoval = new FinalizerRemoval(state);
        this.events = new OwnerReferenceEvents(state, client);
        this.references = new OwnerReferences(state, foreignOwners);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        for (ResourceBucket bucket : state.objectStore().buckets()) {
            for (StoredObject object : state.objectStore().list(bucket, "").objects()) {
                changed(bucket, new ObjectChange(object.version(), null, object));
            }
        }
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        ObjectKey key = new ObjectKey(bucket.id(), object.namespace(), object.name());
        graph.update(key, change.before(), change.after());
        if (change.after() == null) {
            references.gone(object.uid());
            waiting.remove(object.uid());
            state.taskScheduler().run(() -> ownerGone(object));
            return;
        }
        if (!object.owners().isEmpty()) {
            state.taskScheduler().run(() -> check(key));
        }
        StoredObject before = change.before();
        for (String owner : before == null ? List.<String>of() : before.owners()) {
            ObjectKey blocked = waiting.get(owner); // it may be that this object holds it up no longer
            if (blocked != null) {
                state.taskScheduler().run(() -> carryOut(blocked));
            }
        }
        if (object.deleting()) {
            state.taskScheduler().run(() -> carryOut(key));
        }
    }

    /** Looks at the dependents of an object that is gone, and at its owners that wait for it. */
    private void ownerGone(StoredObject gone) {
        graph.dependentsOf(gone.uid()).forEach(this::check);
        OwnerReferences.of(gone.tree())
                .flatMap(reference -> references.find(reference, gone.namespace()).stream())
                .forEach(owner -> carryOut(owner.key()));
    }

    /** Deletes an object whose owners are all gone or wait for it; removes references to some that are gone. */
    private void check(ObjectKey key) {
        StoredObject object = references.at(key);
        if (object == null || object.deleting()) {
            return;
        }
        if (references.crossesNamespaces(object)) { // is never collected, whatever else owns it
            state.servedResources().findBucket(key.bucket()).ifPresent(resource -> events.report(resource, object));
            return;
        }
        OwnerReferences.Classification owners = references.classify(object);
        if (owners.solid()) {
            if (!owners.dangling().isEmpty() || !owners.waiting().isEmpty()) {
                removeReferences(
                        key,
                        object,
                        Stream.concat(owners.dangling().stream(), owners.waiting().stream())
                                .toList());
            }
        } else if (!owners.waiting().isEmpty() || !owners.dangling().isEmpty()) {
            List<ObjectKey> dependents = graph.dependentsOf(object.uid());
            boolean foreground = !owners.waiting().isEmpty() && !dependents.isEmpty();
            if (foreground && dependents.stream().anyMatch(this::waits)) {
                unblock(key, object);
            }
            delete(key, object, foreground);
        }
    }

    private boolean waits(ObjectKey key) {
        StoredObject object = references.at(key);
        return object != null && PropagationPolicy.FOREGROUND.isDue(object.tree());
    }

    /**
     * Lets the owners of an object go without it, as a dependent of it waits: they may own each other in a circle.
     * {@code attemptToDeleteItem} in {@code pkg/controller/garbagecollector/garbagecollector.go}, v1.33.
     */
    private void unblock(ObjectKey key, StoredObject object) {
        ObjectNode tree = object.tree();
        for (JsonNode reference : tree.path("metadata").path("ownerReferences")) {
            if (reference.path("blockOwnerDeletion").booleanValue(false)) {
                ((ObjectNode) reference).put("blockOwnerDeletion", false);
            }
        }
        ResourceBucket bucket = state.objectStore().bucket(key.bucket());
        state.objectStore().replace(bucket, object, object.changedTo(tree));
    }

    private void delete(ObjectKey key, StoredObject object, boolean foreground) {
        String policy = policy(object, foreground);
        ObjectNode options = Json.object();
        options.putObject("preconditions").put("uid", object.uid());
        options.put("propagationPolicy", policy);
        state.servedResources()
                .findBucket(key.bucket())
                .ifPresent(resource -> deletion.delete(
                        new ControllerDeletion.Wanted(ACCOUNT, resource, object, policy, options), () -> check(key)));
    }

    private static String policy(StoredObject object, boolean foreground) {
        if (foreground) {
            return PropagationPolicy.FOREGROUND.word();
        }
        return Stream.of(PropagationPolicy.ORPHAN, PropagationPolicy.FOREGROUND)
                .filter(policy -> policy.isOn(object.tree()))
                .map(PropagationPolicy::word)
                .findFirst()
                .orElse("Background");
    }

    /** Carries out the propagation policy of an object that is being deleted. */
    private void carryOut(ObjectKey key) {
        StoredObject object = references.at(key);
        if (object == null) {
            return;
        }
        List<ObjectKey> dependents = graph.dependentsOf(object.uid());
        if (PropagationPolicy.ORPHAN.isDue(object.tree())) {
            dependents.forEach(dependent -> orphan(dependent, object.uid()));
            release(key, object, PropagationPolicy.ORPHAN);
        } else if (PropagationPolicy.FOREGROUND.isDue(object.tree())) {
            waiting.put(object.uid(), key);
            dependents.forEach(this::check);
            boolean blocked = graph.dependentsOf(object.uid()).stream().anyMatch(each -> blocks(each, object.uid()));
            if (!blocked) {
                waiting.remove(object.uid());
                release(key, object, PropagationPolicy.FOREGROUND);
            }
        }
    }

    private boolean blocks(ObjectKey dependent, String uid) {
        StoredObject object = references.at(dependent);
        return object != null
                && OwnerReferences.of(object.tree())
                        .anyMatch(reference -> Json.string(reference, "uid").equals(uid)
                                && reference.path("blockOwnerDeletion").booleanValue(false));
    }

    /** Takes an owner off an object, whatever is written meanwhile: the owner goes, and the object must not. */
    private void orphan(ObjectKey dependent, String uid) {
        boolean done = false;
        while (!done) {
            StoredObject object = references.at(dependent);
            List<JsonNode> toOwner = object == null
                    ? List.of()
                    : OwnerReferences.of(object.tree())
                            .filter(reference -> Json.string(reference, "uid").equals(uid))
                            .toList();
            done = object == null || toOwner.isEmpty() || replaceReferences(dependent, object, toOwner);
        }
    }

    private void removeReferences(ObjectKey key, StoredObject object, List<JsonNode> removed) {
        if (!replaceReferences(key, object, removed)) {
            state.taskScheduler().run(() -> check(key));
        }
    }

    /** Stores an object without some of its references; false if another write came between. */
    private boolean replaceReferences(ObjectKey key, StoredObject object, List<JsonNode> removed) {
        ObjectNode tree = object.tree();
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode present = Json.list(metadata, "ownerReferences");
        present.removeIf(removed::contains);
        if (present.isEmpty()) {
            metadata.remove("ownerReferences");
        }
        ResourceBucket bucket = state.objectStore().bucket(key.bucket());
        return state.objectStore().replace(bucket, object, object.changedTo(tree)) != null;
    }

    private void release(ObjectKey key, StoredObject object, PropagationPolicy policy) {
        ResourceBucket bucket = state.objectStore().bucket(key.bucket());
        if (!finalizerRemoval.remove(bucket, object, policy.finalizer())) {
            state.taskScheduler().run(() -> carryOut(key));
        }
    }

    /**
     * Which objects depend on which owners, by the owners' uids: {@code graph_builder.go} of the real collector.
     * Thread-safe.
     */
    private static final class OwnerGraph {
        private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

        /** Notes a change of an object's owners. */
        void update(ObjectKey key, @Nullable StoredObject before, @Nullable StoredObject after) {
            synchronized (dependents) {
                for (String owner : before == null ? List.<String>of() : before.owners()) {
                    dependents.computeIfPresent(owner, (uid, keys) -> {
                        keys.remove(key);
                        return keys.isEmpty() ? null : keys;
                    });
                }
                for (String owner : after == null ? List.<String>of() : after.owners()) {
                    dependents
                            .computeIfAbsent(owner, uid -> new LinkedHashSet<>())
                            .add(key);
                }
            }
        }

        /** The objects that name an owner. */
        List<ObjectKey> dependentsOf(String uid) {
            synchronized (dependents) {
                return List.copyOf(dependents.getOrDefault(uid, Set.of()));
            }
        }
    }

    /** Finds the owners that references name, in the store. Thread-safe. */
    private static final class OwnerReferences {
        private final ServerContext state;
        private final boolean foreignOwners;
        /** The uids of what was deleted; nobody asks if there are no foreign owners. */
        private final Set<String> gone = ConcurrentHashMap.newKeySet();

        OwnerReferences(ServerContext state, boolean foreignOwners) {
            this.state = state;
            this.foreignOwners = foreignOwners;
        }

        /** An object was deleted. */
        void gone(String uid) {
            if (foreignOwners) {
                gone.add(uid);
            }
        }

        /** True if an owner that is not here may be in another cluster. */
        private boolean isForeign(JsonNode reference) {
            return foreignOwners && !gone.contains(Json.string(reference, "uid"));
        }

        /** An owner and its place. */
        record Owner(ObjectKey key, StoredObject object) {}

        /** The references of an object. */
        static Stream<JsonNode> of(JsonNode object) {
            return Json.items(object, "metadata", "ownerReferences");
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

        /** Whether an object of the cluster names an owner of a kind with namespaces, which cannot be found. */
        boolean crossesNamespaces(StoredObject object) {
            return object.namespace().isEmpty()
                    && of(object.tree())
                            .flatMap(reference -> resource(reference).stream())
                            .anyMatch(Resource::namespaced);
        }

        private Optional<Resource> resource(JsonNode reference) {
            return state.servedResources()
                    .findKind(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
        }

        /**
         * The owners of an object, sorted: {@code classifyReferences} in
         * {@code pkg/controller/garbagecollector/garbagecollector.go}, v1.33.
         *
         * @param dangling references to owners that are gone
         * @param solid whether an owner keeps the object: it exists, or its kind may still come, and it does not wait
         *     for its dependents
         * @param waiting references to owners that wait until their dependents are deleted: the object does, too,
         *     unless another one keeps it
         */
        record Classification(List<JsonNode> dangling, boolean solid, List<JsonNode> waiting) {}

        Classification classify(StoredObject object) {
            List<JsonNode> dangling = new ArrayList<>();
            boolean solid = false;
            List<JsonNode> waiting = new ArrayList<>();
            for (JsonNode reference : of(object.tree()).toList()) {
                Optional<Owner> owner = find(reference, object.namespace());
                if (resource(reference).isEmpty()) {
                    solid = true; // a custom resource definition for an unknown kind may still come
                } else if (owner.isEmpty() && isForeign(reference)) {
                    solid = true;
                } else if (owner.isEmpty()) {
                    dangling.add(reference);
                } else if (PropagationPolicy.FOREGROUND.isDue(
                        owner.get().object().tree())) {
                    waiting.add(reference);
                } else {
                    solid = true;
                }
            }
            return new Classification(dangling, solid, waiting);
        }
    }
}
