package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.json.JsonEquality;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the controllers of workloads do with objects. Thread-safe; used by the worker of the queue only. */
public final class ControllerActions {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerActions.class);
    private final ServerContext state;
    private final ControllerClient client;
    private final ControllerDeletion deletion;
    private final WorkQueue workQueue;

    /** The actions on a store. */
    public ControllerActions(ServerContext state, ControllerClient client, WorkQueue workQueue) {
        this.state = state;
        this.client = client;
        this.deletion = client.deletion();
        this.workQueue = workQueue;
    }

    /** The server. */
    public ServerContext state() {
        return state;
    }

    /** The time as metadata has it: whole seconds. */
    public String now() {
        return state.now();
    }

    /** The exact time. */
    public Instant instant() {
        return state.instant();
    }

    /** Has an object looked at again when a time has come. */
    public void syncAt(WorkloadKind kind, StoredObject object, Instant time) {
        workQueue.addAt(WorkItem.of(kind, object), time);
    }

    private Resource resource(WorkloadKind kind) {
        return state.servedResources()
                .find(kind.group(), kind.version(), kind.plural())
                .orElseThrow();
    }

    /** The bucket of a kind. */
    public ResourceBucket bucket(WorkloadKind kind) {
        return state.objectStore().bucket(kind.bucket());
    }

    /** An object by its place. */
    public Optional<StoredObject> find(WorkloadKind kind, String namespace, String name) {
        return Optional.ofNullable(bucket(kind).get(namespace, name));
    }

    /** All objects of a kind. */
    public List<StoredObject> all(WorkloadKind kind) {
        return state.objectStore().list(bucket(kind), "").objects();
    }

    /** The objects of a kind in a namespace, in the order of their names. */
    public List<StoredObject> in(WorkloadKind kind, String namespace) {
        return state.objectStore().list(bucket(kind), namespace).objects();
    }

    /** The objects of a kind that an owner controls, in the order of their names. */
    public List<StoredObject> owned(WorkloadKind kind, StoredObject owner) {
        return state.objectStore().list(bucket(kind), owner.namespace()).objects().stream()
                .filter(object -> object.owners().contains(owner.uid())
                        && controllerOf(object).equals(owner.uid()))
                .toList();
    }

    /**
     * The objects of a kind that an owner controls, in the order of their names. What it controls and its selector does
     * not match any more is released, what it matches and nobody controls is adopted: {@code ClaimPods} in
     * {@code pkg/controller/controller_ref_manager.go}, v1.33.
     *
     * @param concerned what is left alone otherwise
     */
    public List<StoredObject> claim(
            WorkloadKind kind,
            StoredObject owner,
            WorkloadKind ownerKind,
            LabelSelector selector,
            Predicate<JsonNode> concerned) {
        List<StoredObject> claimed = new ArrayList<>();
        for (StoredObject object : in(kind, owner.namespace())) {
            JsonNode tree = object.tree();
            String controller = uidOfController(tree);
            boolean owned = controller.equals(owner.uid());
            if ((!owned && (object.deleting() || !controller.isEmpty())) || !concerned.test(tree)) {
                continue;
            }
            boolean matches = selector.matches(tree.path("metadata").path("labels"));
            if (owned && !matches) {
                release(kind, object, owner);
            } else if (owned || (matches && adopt(kind, object, owner, ownerKind))) {
                claimed.add(
                        owned
                                ? object
                                : find(kind, object.namespace(), object.name()).orElse(object));
            }
        }
        return claimed;
    }

    /** Whether a controller is among the owners of an object. */
    public static boolean hasController(StoredObject object) {
        return !controllerOf(object).isEmpty();
    }

    /** The uid of the owner that controls an object; empty for none. */
    private static String controllerOf(StoredObject object) {
        return object.owners().isEmpty() ? "" : uidOfController(object.tree());
    }

    private static String uidOfController(JsonNode tree) {
        return controllerOf(tree)
                .map(reference -> Json.string(reference, "uid"))
                .orElse("");
    }

    /** The reference to the owner that controls an object. */
    public static Optional<JsonNode> controllerOf(JsonNode tree) {
        return Json.items(tree, "metadata", "ownerReferences")
                .filter(reference -> reference.path("controller").booleanValue(false))
                .findFirst();
    }

    private boolean adopt(WorkloadKind kind, StoredObject object, StoredObject owner, WorkloadKind ownerKind) {
        ObjectNode tree = object.tree();
        Json.list(Json.child(tree, "metadata"), "ownerReferences").add(reference(owner, ownerKind));
        return replace(kind, object, tree);
    }

    private void release(WorkloadKind kind, StoredObject object, StoredObject owner) {
        ObjectNode tree = object.tree();
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode references = Json.array();
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (!Json.string(reference, "uid").equals(owner.uid())) {
                references.add(reference);
            }
        }
        if (references.isEmpty()) {
            metadata.remove("ownerReferences");
        } else {
            metadata.set("ownerReferences", references);
        }
        replace(kind, object, tree);
    }

    /** Whether an object has an owner of a kind. */
    public boolean isOwnedBy(WorkloadKind kind, StoredObject object) {
        return object.owners().stream()
                .anyMatch(uid -> state.objectStore().list(bucket(kind), object.namespace()).objects().stream()
                        .anyMatch(owner -> owner.uid().equals(uid)));
    }

    /**
     * Creates an object that an owner controls. After a refusal the owner is looked at again some time later.
     *
     * @return why it is refused; empty if it was created
     */
    public Optional<ApiException> create(
            WorkloadKind kind, StoredObject owner, WorkloadKind ownerKind, ObjectNode object) {
        Json.child(object, "metadata").putArray("ownerReferences").add(reference(owner, ownerKind));
        return create(kind, owner.namespace(), object);
    }

    /** The reference to an owner that controls an object. */
    public static ObjectNode reference(StoredObject owner, WorkloadKind ownerKind) {
        return Json.object()
                .put("apiVersion", ownerKind.apiVersion())
                .put("kind", ownerKind.kind())
                .put("name", owner.name())
                .put("uid", owner.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /** Creates an object that nobody controls; why it is refused, or empty. */
    public Optional<ApiException> create(WorkloadKind kind, String namespace, ObjectNode object) {
        Optional<ApiException> refusal = attempt(kind, namespace, object);
        if (refusal.isPresent()) {
            workQueue.tryAgain();
        }
        return refusal;
    }

    private Optional<ApiException> attempt(WorkloadKind kind, String namespace, ObjectNode object) {
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        Json.child(object, "metadata").put("namespace", namespace);
        try {
            client.create(resource(kind), object, "kube-controller-manager");
            return Optional.empty();
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("a {} could not be created in {}", kind.kind(), namespace);
            return Optional.of(e);
        }
    }

    /** Whether a controller that creates objects of some kinds in a namespace may have to wait for a webhook. */
    public boolean mayWait(Collection<WorkloadKind> kinds, String namespace) {
        return kinds.stream().anyMatch(kind -> client.mayWait(resource(kind), namespace));
    }

    /**
     * Warns about an object by an event, once for each object.
     *
     * @param component who tells it
     */
    public void warn(WorkloadKind kind, StoredObject object, String reason, String message, String component) {
        String name = object.name() + "." + object.uid();
        if (find(WorkloadKind.EVENT, object.namespace(), name).isPresent()) {
            return;
        }
        ObjectNode about = Json.object()
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("namespace", object.namespace())
                .put("name", object.name())
                .put("uid", object.uid());
        client.warn(about, object.namespace(), name, reason, message, component);
    }

    /** Replaces the state of an object, which gets the form of its type; false if another write came between. */
    public boolean replace(WorkloadKind kind, StoredObject current, ObjectNode next) {
        ObjectNode written = inFormOfType(kind, next);
        return JsonEquality.same(current.tree(), written)
                || state.objectStore().replace(bucket(kind), current, current.changedTo(written)) != null;
    }

    /** Replaces the state of an object; if it has changed, its generation is one more. */
    public boolean replaceSpec(WorkloadKind kind, StoredObject current, ObjectNode next) {
        ObjectNode written = inFormOfType(kind, next);
        if (!JsonEquality.same(current.tree(), written)) {
            ObjectNode metadata = Json.child(written, "metadata");
            metadata.put("generation", metadata.path("generation").longValue(1) + 1);
        }
        return replace(kind, current, written);
    }

    private ObjectNode inFormOfType(WorkloadKind kind, ObjectNode object) {
        return BuiltinTypes.get()
                .of(resource(kind))
                .map(type -> CanonicalCodec.canonical(type, object, new ArrayList<>()))
                .orElse(object);
    }

    /** Deletes an object as a request does. */
    public void delete(WorkloadKind kind, StoredObject object) {
        delete(kind, object, "Background", Json.object());
    }

    /** Deletes an object after its dependents. */
    public void deleteForeground(WorkloadKind kind, StoredObject object) {
        delete(kind, object, "Foreground", Json.object().put("propagationPolicy", "Foreground"));
    }

    private void delete(WorkloadKind kind, StoredObject object, String policy, ObjectNode options) {
        WorkItem item = WorkQueue.current();
        UserInfo account = UserInfo.controller(item.kind().controller());
        deletion.delete(
                new ControllerDeletion.Wanted(account, resource(kind), object, policy, options),
                () -> workQueue.add(item));
    }

    /** Removes an object at once. */
    public void remove(WorkloadKind kind, StoredObject object) {
        state.objectStore().remove(bucket(kind), object);
    }
}
