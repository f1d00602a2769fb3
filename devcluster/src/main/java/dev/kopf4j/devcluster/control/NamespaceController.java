package dev.kopf4j.devcluster.control;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.rest.Deleting;
import dev.kopf4j.devcluster.rest.Finalizers;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Empties namespaces that are being deleted, then lets them go. */
public final class NamespaceController {
    private static final String BUCKET = "namespaces";
    private final ServerState state;
    private final Deleting deleting;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();

    /** A controller over a store; {@link #start} lets it work. */
    public NamespaceController(ServerState state) {
        this.state = state;
        this.deleting = new Deleting(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        state.store().list(state.store().bucket(BUCKET), "").objects().stream()
                .filter(StoredObject::deleting)
                .forEach(namespace -> state.tasks().run(() -> sync(namespace.name())));
    }

    private void changed(Bucket bucket, Change change) {
        StoredObject object = change.object();
        if (bucket.id().equals(BUCKET)) {
            state.tasks().run(() -> sync(object.name()));
        } else if (change.after() == null && terminating.contains(object.namespace())) {
            state.tasks().run(() -> sync(object.namespace()));
        }
    }

    private void sync(String name) {
        StoredObject current = state.store().bucket(BUCKET).get("", name);
        if (current == null) {
            terminating.remove(name);
            return;
        }
        ObjectNode namespace = current.tree("v1", "Namespace");
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
        for (Resource resource : state.resources().stored()) {
            if (resource.namespaced() && resource.verbs().contains("list")) {
                Bucket bucket = state.bucket(resource);
                for (StoredObject object : state.store().list(bucket, name).objects()) {
                    deleting.deleteIfPresent(resource, name, object.name(), object.uid(), "Background");
                    empty &= bucket.get(name, object.name()) == null;
                }
            }
        }
        return empty;
    }

    private void release(StoredObject current, ObjectNode namespace) {
        if (namespace.path("spec").path("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(each -> each.stringValue().equals("kubernetes"));
        }
        Bucket bucket = state.store().bucket(BUCKET);
        boolean done = Finalizers.released(namespace)
                ? state.store().remove(bucket, current) > 0
                : current.tree().equals(withoutKind(namespace))
                        || state.store().replace(bucket, current, StoredObject.of(namespace)) != null;
        if (!done) {
            state.tasks().run(() -> sync(current.name()));
        }
    }

    private static ObjectNode withoutKind(ObjectNode namespace) {
        ObjectNode copy = namespace.deepCopy();
        copy.remove("kind");
        copy.remove("apiVersion");
        return Json.object().setAll(copy);
    }
}
