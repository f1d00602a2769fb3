package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.endpoints.ResourceEndpoints;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What controllers do to objects. Confined to the server's tasks. */
final class ControllerActions {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerActions.class);
    private final ServerContext state;
    private final ResourceEndpoints api;
    private final DeleteVerb deleteVerb;

    ControllerActions(ServerContext state, ResourceEndpoints api) {
        this.state = state;
        this.api = api;
        this.deleteVerb = new DeleteVerb(state);
    }

    ServerContext state() {
        return state;
    }

    private Resource resource(WorkloadKind workloadKind) {
        return state.servedResources()
                .find(workloadKind.group(), "v1", workloadKind.plural())
                .orElseThrow();
    }

    ResourceBucket bucket(WorkloadKind workloadKind) {
        return state.objectStore().bucket(workloadKind.bucket());
    }

    Optional<StoredObject> find(WorkloadKind workloadKind, String namespace, String name) {
        return Optional.ofNullable(bucket(workloadKind).get(namespace, name));
    }

    /** All objects of a kind. */
    List<StoredObject> all(WorkloadKind workloadKind) {
        return state.objectStore().list(bucket(workloadKind), "").objects();
    }

    /** The objects of a kind that an owner controls, in the order of their names. */
    List<StoredObject> owned(WorkloadKind workloadKind, StoredObject owner) {
        return state.objectStore().list(bucket(workloadKind), owner.namespace()).objects().stream()
                .filter(object -> object.owners().contains(owner.uid()))
                .toList();
    }

    /** Creates an object that an owner controls; a refusal is logged, and tried again with the owner's next change. */
    void create(WorkloadKind workloadKind, StoredObject owner, WorkloadKind ownerKind, ObjectNode object) {
        object.put("apiVersion", workloadKind.apiVersion()).put("kind", workloadKind.kind());
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
            api.create(resource(workloadKind), object, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("{} could not create a {}", owner, workloadKind.kind());
        }
    }

    /** Replaces a state by one that was made of it; whether that was the newest. */
    boolean replace(WorkloadKind workloadKind, StoredObject current, ObjectNode next) {
        return JsonEquality.same(current.tree(), next)
                || state.objectStore().replace(bucket(workloadKind), current, StoredObject.of(next)) != null;
    }

    void delete(WorkloadKind workloadKind, StoredObject object) {
        deleteVerb.deleteIfPresent(
                resource(workloadKind), object.namespace(), object.name(), object.uid(), "Background");
    }

    /** Takes an object away without further ado. */
    void remove(WorkloadKind workloadKind, StoredObject object) {
        state.objectStore().remove(bucket(workloadKind), object);
    }

    /** Whether a pod has the condition Ready. */
    static boolean isReady(JsonNode pod) {
        return pod.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> Json.string(condition, "type").equals("Ready")
                        && Json.string(condition, "status").equals("True"));
    }

    static String phase(JsonNode pod) {
        return Json.string(pod, "status", "phase");
    }

    /** A copy of a pod template as the draft of a pod. */
    static ObjectNode pod(JsonNode template, String base) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata").put("generateName", base + "-");
        for (String field : List.of("labels", "annotations", "finalizers")) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }
}
