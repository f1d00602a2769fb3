package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out the deletion of definitions: {@code pkg/controller/finalizer/crd_finalizer.go} of the
 * apiextensions-apiserver, v1.33. Thread-safe.
 */
final class CrdTermination {
    private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
    private static final String TERMINATING = "Terminating";
    private final ServerContext state;
    private final CrdServing serving;
    private final DeleteVerb deleteVerb;
    private final FinalizerRemoval finalizerRemoval;

    CrdTermination(ServerContext state, CrdServing serving) {
        this.state = state;
        this.serving = serving;
        this.deleteVerb = new DeleteVerb(state);
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Takes the next step; false if another write came between. */
    boolean proceed(StoredObject current) {
        ObjectNode definition = current.tree();
        return StatusConditions.find(definition.path("status"), TERMINATING).isPresent()
                ? finish(current, definition)
                : announce(current, definition);
    }

    /** Announces the deletion: the server no longer creates objects, and serves fewer verbs. */
    private boolean announce(StoredObject current, ObjectNode definition) {
        StatusConditions.set(
                Json.child(definition, "status"),
                TERMINATING,
                true,
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress",
                state.now());
        serving.serve(definition);
        return state.objectStore().replace(definitions(), current, StoredObject.of(definition)) != null;
    }

    private ResourceBucket definitions() {
        return state.objectStore().bucket(Buckets.CUSTOM_RESOURCE_DEFINITIONS);
    }

    /** Deletes the objects, and the definition if none is left. */
    private boolean finish(StoredObject current, ObjectNode definition) {
        boolean holds = definition
                .path("metadata")
                .path("finalizers")
                .valueStream()
                .anyMatch(each -> each.stringValue().equals(FINALIZER));
        ResourceBucket objects = state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
        if (!holds || !empty(objects, definition)) {
            return true;
        }
        serving.withdraw(definition); // first, so that nobody who knows of the removal finds the resource served
        boolean done = release(current, definition);
        state.objectStore().discard(objects);
        return done;
    }

    private boolean empty(ResourceBucket objects, ObjectNode definition) {
        serving.stored(definition).ifPresent(resource -> {
            for (StoredObject object : state.objectStore().list(objects, "").objects()) {
                deleteVerb.deleteIfPresent(resource, object.namespace(), object.name(), object.uid(), "Background");
            }
        });
        return objects.size() == 0;
    }

    private boolean release(StoredObject current, ObjectNode definition) {
        ObjectNode status = Json.child(definition, "status");
        boolean established = StatusConditions.isTrue(status, "Established");
        StatusConditions.set(
                status,
                TERMINATING,
                false,
                established ? "InstanceDeletionCompleted" : "NeverEstablished",
                established ? "removed all instances" : "resource was never established",
                state.now());
        return finalizerRemoval.remove(definitions(), current, definition, FINALIZER);
    }
}
