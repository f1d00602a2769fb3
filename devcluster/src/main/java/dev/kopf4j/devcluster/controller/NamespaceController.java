package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Empties namespaces that are being deleted, then lets them go. */
public final class NamespaceController {
    private static final String BUCKET = "namespaces";
    private final ServerContext state;
    private final DeleteVerb deleteVerb;
    private final FinalizerRemoval finalizerRemoval;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();

    /** A controller over a store; {@link #start} lets it work. */
    public NamespaceController(ServerContext state) {
        this.state = state;
        this.deleteVerb = new DeleteVerb(state);
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.objectStore().list(state.objectStore().bucket(BUCKET), "").objects().stream()
                .filter(StoredObject::deleting)
                .forEach(namespace -> state.taskScheduler().run(() -> sync(namespace.name())));
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        StoredObject object = objectChange.object();
        if (resourceBucket.id().equals(BUCKET)) {
            state.taskScheduler().run(() -> sync(object.name()));
        } else if (objectChange.after() == null && terminating.contains(object.namespace())) {
            state.taskScheduler().run(() -> sync(object.namespace()));
        }
    }

    private void sync(String name) {
        StoredObject current = state.objectStore().bucket(BUCKET).get("", name);
        if (current == null) {
            terminating.remove(name);
            return;
        }
        ObjectNode namespace = current.tree();
        if (!namespace.path("metadata").has("deletionTimestamp")) {
            return;
        }
        terminating.add(name);
        if (empty(name)) {
            release(current, namespace);
        }
    }

    /** Deletes what is in it; whether nothing is left. */
    private boolean empty(String name) {
        boolean empty = true;
        for (Resource resource : state.servedResources().stored()) {
            if (resource.namespaced() && resource.verbs().contains("list")) {
                ResourceBucket resourceBucket = state.bucket(resource);
                for (StoredObject object :
                        state.objectStore().list(resourceBucket, name).objects()) {
                    deleteVerb.deleteIfPresent(resource, name, object.name(), object.uid(), "Background");
                    empty &= resourceBucket.get(name, object.name()) == null;
                }
            }
        }
        return empty;
    }

    private void release(StoredObject current, ObjectNode namespace) {
        if (namespace.path("spec").path("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(each -> each.stringValue().equals("kubernetes"));
        }
        ResourceBucket resourceBucket = state.objectStore().bucket(BUCKET);
        if (!finalizerRemoval.store(resourceBucket, current, namespace)) {
            state.taskScheduler().run(() -> sync(current.name()));
        }
    }
}
