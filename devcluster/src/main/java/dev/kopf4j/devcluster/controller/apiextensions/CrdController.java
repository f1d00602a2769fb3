package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.webhook.CaBundle;
import dev.kopf4j.json.JsonEquality;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
            } else if (before == null) {
                objectMade(bucket);
            }
        } else if (change.after() == null && before != null) {
            state.taskScheduler().run(() -> gone(before.tree()));
        } else {
            schedule(change.object().name());
        }
    }

    /** Looks again whether a definition that is being deleted can go, when its last object has gone. */
    private void objectGone(ResourceBucket bucket) {
        String name = CrdResources.definitionOf(bucket.id());
        if (definitions().get("", name) == null) {
            return;
        }
        state.taskScheduler().run(() -> {
            StoredObject definition = definitions().get("", name);
            if (bucket.size() == 0 && definition != null && definition.deleting()) {
                sync(name);
            }
        });
    }

    /** Its request was under way when the deletion of its definition began: it is deleted as those before it. */
    private void objectMade(ResourceBucket bucket) {
        StoredObject definition = definitions().get("", CrdResources.definitionOf(bucket.id()));
        if (definition != null && definition.deleting()) {
            schedule(definition.name());
        }
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

    /**
     * The names and conditions of a definition: {@code calculateNamesAndConditions} in
     * {@code pkg/controller/status/naming_controller.go} of the apiextensions-apiserver, v1.33. Pure.
     */
    private static final class CrdAcceptance {
        private static final String ESTABLISHED = "Established";

        private CrdAcceptance() {}

        /**
         * A definition with a new status.
         *
         * @param others the other definitions of its group
         */
        static ObjectNode accept(ObjectNode definition, List<ObjectNode> others, String now) {
            ObjectNode accepted = definition.deepCopy();
            ObjectNode status = Json.child(accepted, "status");
            CrdNameConflicts conflicts = new CrdNameConflicts(others);
            status.set(
                    "acceptedNames",
                    conflicts.accept(definition.path("spec").path("names"), status.path("acceptedNames")));
            boolean free = conflicts.reason().isEmpty();
            StatusConditions.set(
                    status,
                    "NamesAccepted",
                    free,
                    free ? "NoConflicts" : conflicts.reason(),
                    free ? "no conflicts found" : conflicts.message(),
                    now);
            if (free && !StatusConditions.isTrue(status, ESTABLISHED)) {
                establish(definition, status, now);
            } else if (!free && !StatusConditions.isTrue(status, ESTABLISHED)) {
                StatusConditions.set(status, ESTABLISHED, false, "NotAccepted", "not all names are accepted", now);
            }
            return accepted;
        }

        /** {@code sync} in {@code pkg/controller/establish/establishing_controller.go}. */
        private static void establish(ObjectNode definition, ObjectNode status, String now) {
            String bundle = Json.string(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
            if (CaBundle.problem(bundle).isEmpty()) {
                StatusConditions.set(
                        status, ESTABLISHED, true, "InitialNamesAccepted", "the initial names have been accepted", now);
            } else {
                StatusConditions.set(
                        status,
                        ESTABLISHED,
                        false,
                        "InvalidCABundle",
                        "The conversion webhook CABundle is invalid",
                        now);
            }
        }

        /** Finds which names of a definition are still free in its group. */
        private static final class CrdNameConflicts {
            private final Set<String> resources = new HashSet<>();
            private final Set<String> kinds = new HashSet<>();
            private String reason = "";
            private String message = "";

            /** Collects the names of the other definitions of the group. */
            CrdNameConflicts(List<ObjectNode> others) {
                for (ObjectNode other : others) {
                    JsonNode accepted = other.path("status").path("acceptedNames");
                    for (String field : List.of("plural", "singular")) {
                        resources.add(Json.string(accepted, field));
                    }
                    accepted.path("shortNames").forEach(name -> resources.add(name.stringValue()));
                    kinds.add(Json.string(accepted, "kind"));
                    kinds.add(Json.string(accepted, "listKind"));
                }
                resources.remove("");
                kinds.remove("");
            }

            /** The accepted names: the wanted ones where they are free, else those that were accepted before. */
            ObjectNode accept(JsonNode wanted, JsonNode before) {
                ObjectNode accepted = Json.object();
                name(accepted, "plural", wanted, before, resources, "PluralConflict");
                name(accepted, "singular", wanted, before, resources, "SingularConflict");
                shortNames(accepted, wanted, before);
                name(accepted, "kind", wanted, before, kinds, "KindConflict");
                name(accepted, "listKind", wanted, before, kinds, "ListKindConflict");
                if (wanted.has("categories")) {
                    accepted.set("categories", wanted.get("categories"));
                }
                return accepted;
            }

            private void name(
                    ObjectNode accepted,
                    String field,
                    JsonNode wanted,
                    JsonNode before,
                    Set<String> taken,
                    String conflict) {
                String name = Json.string(wanted, field);
                String kept = Json.string(before, field);
                String given = name;
                if (taken.contains(name)) {
                    refuse(conflict, "\"" + name + "\" is already in use");
                    given = kept;
                }
                if (!given.isEmpty() || field.equals("kind") || field.equals("plural")) {
                    accepted.put(field, given);
                }
            }

            private void shortNames(ObjectNode accepted, JsonNode wanted, JsonNode before) {
                ArrayNode free = Json.array();
                for (JsonNode name : wanted.path("shortNames")) {
                    if (resources.contains(name.stringValue())) {
                        refuse("ShortNamesConflict", "\"" + name.stringValue() + "\" is already in use");
                    } else {
                        free.add(name);
                    }
                }
                if (free.size() < wanted.path("shortNames").size()) {
                    if (before.has("shortNames")) {
                        accepted.set("shortNames", before.get("shortNames"));
                    }
                } else if (!free.isEmpty()) {
                    accepted.set("shortNames", free);
                }
            }

            private void refuse(String why, String words) {
                reason = why;
                message = words;
            }

            /** The reason for names that are not accepted; empty if all are. */
            String reason() {
                return reason;
            }

            /** The message for names that are not accepted. */
            String message() {
                return message;
            }
        }
    }

    /**
     * Carries out the deletion of definitions: {@code pkg/controller/finalizer/crd_finalizer.go} of the
     * apiextensions-apiserver, v1.33. Thread-safe.
     */
    private static final class CrdTermination {
        private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
        private static final String TERMINATING = "Terminating";
        private final ServerContext state;
        private final CrdServing serving;
        private final ControllerDeletion deletion;
        private final FinalizerRemoval finalizerRemoval;

        CrdTermination(ServerContext state, CrdServing serving) {
            this.state = state;
            this.serving = serving;
            this.deletion = new ControllerDeletion(state, Optional.empty(), true);
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
            boolean holds = Json.items(definition, "metadata", "finalizers")
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
            Resource resource = serving.stored(definition);
            for (StoredObject object : state.objectStore().list(objects, "").objects()) {
                deletion.delete(
                        new ControllerDeletion.Wanted(UserInfo.ADMIN, resource, object, "Background", Json.object()),
                        () -> proceedAgain(Json.string(definition, "metadata", "name")));
            }
            return objects.size() == 0;
        }

        /** Looks at a definition again, of which an object could not be deleted, as it cannot be converted. */
        private void proceedAgain(String name) {
            StoredObject current = definitions().get("", name);
            if (current != null && current.deleting() && !proceed(current)) {
                state.taskScheduler().run(() -> proceedAgain(name));
            }
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
}
