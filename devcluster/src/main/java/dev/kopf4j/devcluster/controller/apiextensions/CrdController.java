package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Accepts the names of custom resource definitions, serves them, and empties those that are deleted. */
public final class CrdController {
    private static final String BUCKET = "apiextensions.k8s.io/customresourcedefinitions";
    private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
    private static final String TERMINATING = "Terminating";
    private final ServerContext state;
    private final DeleteVerb deleteVerb;
    private final FinalizerRemoval finalizerRemoval;

    /** A controller over a store; {@link #start} lets it work. */
    public CrdController(ServerContext state) {
        this.state = state;
        this.deleteVerb = new DeleteVerb(state);
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        for (StoredObject definition : definitions()) {
            serve(definition.tree()); // those of an earlier run are there at once
            schedule(definition.name());
        }
    }

    private List<StoredObject> definitions() {
        return state.objectStore().list(state.objectStore().bucket(BUCKET), "").objects();
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        if (resourceBucket.id().equals(BUCKET)) {
            String name = objectChange.object().name();
            StoredObject before = objectChange.before();
            if (objectChange.after() == null && before != null) {
                state.taskScheduler().run(() -> gone(before));
            } else {
                schedule(name);
            }
        } else if (objectChange.after() == null && resourceBucket.id().contains(".")) {
            state.taskScheduler().run(() -> emptied(resourceBucket));
        }
    }

    private void schedule(String name) {
        state.taskScheduler().run(() -> sync(name));
    }

    private void withdraw(ObjectNode definition) {
        String group = Json.string(definition, "spec", "group");
        state.servedResources().serve(group, Json.string(definition, "spec", "names", "plural"), List.of());
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
    private void emptied(ResourceBucket resourceBucket) {
        if (resourceBucket.size() == 0) {
            int slash = resourceBucket.id().indexOf('/');
            String name = resourceBucket.id().substring(slash + 1) + "."
                    + resourceBucket.id().substring(0, Math.max(0, slash));
            StoredObject definition = state.objectStore().bucket(BUCKET).get("", name);
            if (definition != null && definition.tree().path("metadata").has("deletionTimestamp")) {
                sync(name);
            }
        }
    }

    private void sync(String name) {
        StoredObject current = state.objectStore().bucket(BUCKET).get("", name);
        if (current == null) {
            return;
        }
        ObjectNode definition = current.tree();
        if (definition.path("metadata").has("deletionTimestamp")) {
            terminate(current, definition);
            return;
        }
        ObjectNode accepted = accept(name, definition);
        serve(accepted); // first: who reads that it is established may use it
        if (!JsonEquality.same(accepted, current.tree())) {
            if (state.objectStore().replace(state.objectStore().bucket(BUCKET), current, StoredObject.of(accepted))
                    == null) {
                schedule(name);
            }
        }
    }

    private void serve(ObjectNode definition) {
        if (StatusConditions.isTrue(definition.path("status"), "Established")) {
            List<Resource> resources = CrdResources.of(definition);
            state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
            state.servedResources()
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
        CrdNameConflicts conflicts = new CrdNameConflicts(others);
        status.set(
                "acceptedNames", conflicts.accept(definition.path("spec").path("names"), status.path("acceptedNames")));
        boolean free = conflicts.reason().isEmpty();
        String now = state.now();
        StatusConditions.set(
                status,
                "NamesAccepted",
                free,
                free ? "NoConflicts" : conflicts.reason(),
                free ? "no conflicts found" : conflicts.message(),
                now);
        if (free) {
            StatusConditions.set(
                    status, "Established", true, "InitialNamesAccepted", "the initial names have been accepted", now);
        } else if (!StatusConditions.isTrue(status, "Established")) {
            StatusConditions.set(status, "Established", false, "NotAccepted", "not all names are accepted", now);
        }
        return accepted;
    }

    /** Tells first that it is ending: from then on fewer verbs are shown, and nothing new is taken. */
    private void terminate(StoredObject current, ObjectNode definition) {
        if (StatusConditions.find(definition.path("status"), TERMINATING).isPresent()) {
            finish(current, definition);
            return;
        }
        StatusConditions.set(
                Json.child(definition, "status"),
                TERMINATING,
                true,
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress",
                state.now());
        serve(definition);
        if (state.objectStore().replace(state.objectStore().bucket(BUCKET), current, StoredObject.of(definition))
                == null) {
            schedule(current.name());
        }
    }

    private void finish(StoredObject current, ObjectNode definition) {
        ResourceBucket objects = state.objectStore().bucket(CrdResources.bucket(definition.path("spec")));
        boolean holds = definition
                .path("metadata")
                .path("finalizers")
                .valueStream()
                .anyMatch(each -> each.stringValue().equals(FINALIZER));
        if (!holds) {
            return;
        }
        CrdResources.of(definition).stream().findFirst().ifPresent(resource -> {
            for (StoredObject object : state.objectStore().list(objects, "").objects()) {
                deleteVerb.deleteIfPresent(resource, object.namespace(), object.name(), object.uid(), "Background");
            }
        });
        if (objects.size() == 0) {
            withdraw(definition); // first: who reads that it is gone finds nothing served
            release(current, definition);
            state.objectStore().discard(objects);
        }
    }

    private void release(StoredObject current, ObjectNode definition) {
        ObjectNode status = Json.child(definition, "status");
        boolean established = StatusConditions.isTrue(status, "Established");
        StatusConditions.set(
                status,
                TERMINATING,
                false,
                established ? "InstanceDeletionCompleted" : "NeverEstablished",
                established ? "removed all instances" : "resource was never established",
                state.now());
        ResourceBucket definitions = state.objectStore().bucket(BUCKET);
        if (!finalizerRemoval.remove(definitions, current, definition, FINALIZER)) {
            schedule(current.name());
        }
    }
}
