package dev.kopf4j.devcluster.control;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.rest.Deleting;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Accepts the names of custom resource definitions, serves them, and empties those that are deleted. */
public final class DefinitionController {
    private static final String BUCKET = "apiextensions.k8s.io/customresourcedefinitions";
    private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
    private final ServerState state;
    private final Deleting deleting;

    /** A controller over a store; {@link #start} lets it work. */
    public DefinitionController(ServerState state) {
        this.state = state;
        this.deleting = new Deleting(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        for (StoredObject definition : definitions()) {
            serve(definition.tree()); // those of an earlier run are there at once
            schedule(definition.name());
        }
    }

    private List<StoredObject> definitions() {
        return state.store().list(state.store().bucket(BUCKET), "").objects();
    }

    private void changed(Bucket bucket, Change change) {
        if (bucket.id().equals(BUCKET)) {
            String name = change.object().name();
            StoredObject before = change.before();
            if (change.after() == null && before != null) {
                state.tasks().run(() -> gone(before));
            } else {
                schedule(name);
            }
        } else if (change.after() == null && bucket.id().contains(".")) {
            state.tasks().run(() -> emptied(bucket));
        }
    }

    private void schedule(String name) {
        state.tasks().run(() -> sync(name));
    }

    private void withdraw(ObjectNode definition) {
        String group = Json.string(definition, "spec", "group");
        state.resources().serve(group, Json.string(definition, "spec", "names", "plural"), List.of());
    }

    private void gone(StoredObject definition) {
        ObjectNode tree = definition.tree();
        withdraw(tree);
        String group = Json.string(tree, "spec", "group");
        definitions().stream()
                .filter(other -> Json.string(other.tree(), "spec", "group").equals(group))
                .forEach(other -> schedule(other.name()));
    }

    /** Objects of a definition that is being deleted have gone: look again whether it can go. */
    private void emptied(Bucket bucket) {
        if (bucket.size() == 0) {
            int slash = bucket.id().indexOf('/');
            String name = bucket.id().substring(slash + 1) + "." + bucket.id().substring(0, Math.max(0, slash));
            StoredObject definition = state.store().bucket(BUCKET).get("", name);
            if (definition != null && definition.tree().path("metadata").has("deletionTimestamp")) {
                sync(name);
            }
        }
    }

    private void sync(String name) {
        StoredObject current = state.store().bucket(BUCKET).get("", name);
        if (current == null) {
            return;
        }
        ObjectNode definition = current.tree();
        if (definition.path("metadata").has("deletionTimestamp")) {
            finish(current, definition);
            return;
        }
        ObjectNode accepted = accept(name, definition);
        serve(accepted); // first: who reads that it is established may use it
        if (!Equality.same(accepted, current.tree())) {
            if (state.store().replace(state.store().bucket(BUCKET), current, StoredObject.of(accepted)) == null) {
                schedule(name);
            }
        }
    }

    private void serve(ObjectNode definition) {
        if (Conditions.holds(definition.path("status"), "Established")) {
            List<Resource> resources = CustomResources.of(definition);
            state.store().bucket(CustomResources.bucket(definition.path("spec")));
            state.resources()
                    .serve(
                            Json.string(definition, "spec", "group"),
                            Json.string(definition, "spec", "names", "plural"),
                            resources);
        }
    }

    private ObjectNode accept(String name, ObjectNode definition) {
        String group = Json.string(definition, "spec", "group");
        List<ObjectNode> others = definitions().stream()
                .filter(other -> !other.name().equals(name))
                .map(StoredObject::tree)
                .filter(other -> Json.string(other, "spec", "group").equals(group))
                .toList();
        ObjectNode accepted = definition.deepCopy();
        ObjectNode status = Json.child(accepted, "status");
        NameConflicts conflicts = new NameConflicts(others);
        status.set(
                "acceptedNames", conflicts.accept(definition.path("spec").path("names"), status.path("acceptedNames")));
        boolean free = conflicts.reason().isEmpty();
        String now = state.now();
        Conditions.set(
                status,
                "NamesAccepted",
                free,
                free ? "NoConflicts" : conflicts.reason(),
                free ? "no conflicts found" : conflicts.message(),
                now);
        if (free) {
            Conditions.set(
                    status, "Established", true, "InitialNamesAccepted", "the initial names have been accepted", now);
        } else if (!Conditions.holds(status, "Established")) {
            Conditions.set(status, "Established", false, "NotAccepted", "not all names are accepted", now);
        }
        return accepted;
    }

    private void finish(StoredObject current, ObjectNode definition) {
        Bucket objects = state.store().bucket(CustomResources.bucket(definition.path("spec")));
        boolean holds = definition
                .path("metadata")
                .path("finalizers")
                .valueStream()
                .anyMatch(each -> each.stringValue().equals(FINALIZER));
        if (!holds) {
            return;
        }
        CustomResources.of(definition).stream().findFirst().ifPresent(resource -> {
            for (StoredObject object : state.store().list(objects, "").objects()) {
                deleting.deleteIfPresent(resource, object.namespace(), object.name(), object.uid(), "Background");
            }
        });
        if (objects.size() == 0) {
            withdraw(definition); // first: who reads that it is gone finds nothing served
            release(current, definition);
            state.store().discard(objects);
        }
    }

    private void release(StoredObject current, ObjectNode definition) {
        ArrayNode finalizers = (ArrayNode) definition.path("metadata").path("finalizers");
        finalizers.removeIf(each -> each.stringValue().equals(FINALIZER));
        Bucket bucket = state.store().bucket(BUCKET);
        boolean done = finalizers.isEmpty()
                ? state.store().remove(bucket, current) > 0
                : state.store().replace(bucket, current, StoredObject.of(definition)) != null;
        if (!done) {
            schedule(current.name());
        }
    }
}
