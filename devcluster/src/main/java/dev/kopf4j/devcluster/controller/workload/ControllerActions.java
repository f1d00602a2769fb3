package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the controllers of workloads do with objects. Used by the tasks of the server only. */
final class ControllerActions {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerActions.class);
    private final ServerContext state;
    private final ControllerClient client;
    private final DeleteVerb deleteVerb;

    ControllerActions(ServerContext state, ControllerClient client) {
        this.state = state;
        this.client = client;
        this.deleteVerb = new DeleteVerb(state);
    }

    ServerContext state() {
        return state;
    }

    String now() {
        return state.now();
    }

    private Resource resource(WorkloadKind kind) {
        return state.servedResources().find(kind.group(), "v1", kind.plural()).orElseThrow();
    }

    ResourceBucket bucket(WorkloadKind kind) {
        return state.objectStore().bucket(kind.bucket());
    }

    Optional<StoredObject> find(WorkloadKind kind, String namespace, String name) {
        return Optional.ofNullable(bucket(kind).get(namespace, name));
    }

    /** All objects of a kind. */
    List<StoredObject> all(WorkloadKind kind) {
        return state.objectStore().list(bucket(kind), "").objects();
    }

    /** The objects of a kind that an owner controls, in the order of their names. */
    List<StoredObject> owned(WorkloadKind kind, StoredObject owner) {
        return state.objectStore().list(bucket(kind), owner.namespace()).objects().stream()
                .filter(object -> object.owners().contains(owner.uid()))
                .toList();
    }

    /** Whether an object has an owner of a kind. */
    boolean isOwnedBy(WorkloadKind kind, StoredObject object) {
        return object.owners().stream()
                .anyMatch(uid -> state.objectStore().list(bucket(kind), object.namespace()).objects().stream()
                        .anyMatch(owner -> owner.uid().equals(uid)));
    }

    /** Creates an object that an owner controls. A refusal is logged; the next change of the owner tries again. */
    void create(WorkloadKind kind, StoredObject owner, WorkloadKind ownerKind, ObjectNode object) {
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("namespace", owner.namespace());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", ownerKind.apiVersion())
                .put("kind", ownerKind.kind())
                .put("name", owner.name())
                .put("uid", owner.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        try {
            client.create(resource(kind), object, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("{} could not create a {}", owner, kind.kind());
        }
    }

    /** Replaces the state of an object; false if another write came between. */
    boolean replace(WorkloadKind kind, StoredObject current, ObjectNode next) {
        return JsonEquality.same(current.tree(), next)
                || state.objectStore().replace(bucket(kind), current, StoredObject.of(next)) != null;
    }

    void delete(WorkloadKind kind, StoredObject object) {
        deleteVerb.deleteIfPresent(resource(kind), object.namespace(), object.name(), object.uid(), "Background");
    }

    /** Removes an object at once. */
    void remove(WorkloadKind kind, StoredObject object) {
        state.objectStore().remove(bucket(kind), object);
    }
}
