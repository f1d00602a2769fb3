package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects in namespaces that are being deleted, then the namespaces:
 * {@code pkg/controller/namespace/deletion/namespaced_resources_deleter.go}, v1.33.
 */
public final class NamespaceController {
    private static final String FINALIZER = "kubernetes";
    private static final String BACKGROUND = "Background";
    private static final UserInfo ACCOUNT = UserInfo.controller("namespace-controller");
    private final ServerContext state;
    private final ControllerDeletion deletion;
    private final FinalizerRemoval finalizerRemoval;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();

    /** A controller over a store; {@link #start} lets it work. */
    public NamespaceController(ServerContext state, ControllerClient client) {
        this.state = state;
        this.deletion = client.collectionDeletion();
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.objectStore().list(namespaces(), "").objects().stream()
                .filter(StoredObject::deleting)
                .forEach(namespace -> schedule(namespace.name()));
    }

    private ResourceBucket namespaces() {
        return state.objectStore().bucket(Buckets.NAMESPACES);
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        if (bucket.id().equals(Buckets.NAMESPACES)) {
            schedule(object.name());
        } else if (change.after() == null && terminating.contains(object.namespace())) {
            schedule(object.namespace());
        }
    }

    private void schedule(String name) {
        state.taskScheduler().run(() -> sync(name));
    }

    private void sync(String name) {
        StoredObject current = namespaces().get("", name);
        if (current == null) {
            terminating.remove(name);
        } else if (current.deleting()) {
            terminating.add(name);
            if (empty(name)) {
                release(current);
            }
        }
    }

    /** Deletes the objects in a namespace; true if none is left. */
    private boolean empty(String name) {
        boolean empty = true;
        for (Resource resource : state.servedResources().stored()) {
            if (resource.namespaced() && resource.verbs().contains("list")) {
                ResourceBucket bucket = state.bucket(resource);
                for (StoredObject object :
                        state.objectStore().list(bucket, name).objects()) {
                    ObjectNode options = Json.object().put("propagationPolicy", BACKGROUND);
                    deletion.delete(
                            new ControllerDeletion.Wanted(ACCOUNT, resource, object, BACKGROUND, options),
                            () -> sync(name));
                    empty &= bucket.get(name, object.name()) == null;
                }
            }
        }
        return empty;
    }

    private void release(StoredObject current) {
        ObjectNode namespace = current.tree();
        if (namespace.path("spec").path("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(each -> each.stringValue().equals(FINALIZER));
        }
        if (!finalizerRemoval.store(namespaces(), current, namespace)) {
            schedule(current.name());
        }
    }
}
