package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Accepts the names of custom resource definitions, serves their resources, and deletes their objects before they go:
 * {@code pkg/controller/status/naming_controller.go} and {@code pkg/controller/finalizer/crd_finalizer.go} of the
 * apiextensions-apiserver, v1.33.
 */
public final class CrdController {
    private final ServerContext state;
    private final CrdServing serving;
    private final CrdTermination termination;

    /** A controller over a store; {@link #start} lets it work. */
    public CrdController(ServerContext state) {
        this.state = state;
        this.serving = new CrdServing(state);
        this.termination = new CrdTermination(state, serving);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        for (StoredObject definition : list()) {
            serving.serve(definition.tree()); // definitions of an earlier run are served at once
            schedule(definition.name());
        }
    }

    private ResourceBucket definitions() {
        return state.objectStore().bucket(Buckets.CUSTOM_RESOURCE_DEFINITIONS);
    }

    private List<StoredObject> list() {
        return state.objectStore().list(definitions(), "").objects();
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject before = change.before();
        if (!bucket.id().equals(Buckets.CUSTOM_RESOURCE_DEFINITIONS)) {
            if (change.after() == null) {
                objectGone(bucket);
            }
        } else if (change.after() == null && before != null) {
            state.taskScheduler().run(() -> gone(before.tree()));
        } else {
            schedule(change.object().name());
        }
    }

    /** Looks again whether a definition that is being deleted can go, when its last object has gone. */
    private void objectGone(ResourceBucket bucket) {
        state.servedResources()
                .findBucket(bucket.id())
                .filter(Resource::isCustom)
                .map(Resource::qualified)
                .ifPresent(name -> state.taskScheduler().run(() -> {
                    StoredObject definition = definitions().get("", name);
                    if (bucket.size() == 0 && definition != null && definition.deleting()) {
                        sync(name);
                    }
                }));
    }

    private void schedule(String name) {
        state.taskScheduler().run(() -> sync(name));
    }

    /** The names of a definition that is gone are free for others of its group. */
    private void gone(ObjectNode definition) {
        serving.withdraw(definition);
        String group = Json.string(definition, "spec", "group");
        list().stream()
                .filter(other -> Json.string(other.tree(), "spec", "group").equals(group))
                .forEach(other -> schedule(other.name()));
    }

    private void sync(String name) {
        StoredObject current = definitions().get("", name);
        if (current == null) {
            return;
        }
        boolean done = current.deleting() ? termination.proceed(current) : accept(current);
        if (!done) {
            schedule(name);
        }
    }

    /** Accepts the names of a definition, as far as they are free; false if another write came between. */
    private boolean accept(StoredObject current) {
        ObjectNode definition = current.tree();
        String group = Json.string(definition, "spec", "group");
        List<ObjectNode> others = list().stream()
                .filter(other -> !other.name().equals(current.name()))
                .map(StoredObject::tree)
                .filter(other -> Json.string(other, "spec", "group").equals(group))
                .toList();
        ObjectNode accepted = CrdAcceptance.accept(definition, others, state.now());
        serving.serve(accepted); // first: who reads that it is established may use it
        return JsonEquality.same(accepted, definition)
                || state.objectStore().replace(definitions(), current, StoredObject.of(accepted)) != null;
    }
}
