package dev.kopf4j.devcluster.workload;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.rest.Deleting;
import dev.kopf4j.devcluster.rest.ResourceApi;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What controllers do to objects. Confined to the server's tasks. */
final class Actions {
    private static final Logger LOG = LoggerFactory.getLogger(Actions.class);
    private final ServerState state;
    private final ResourceApi api;
    private final Deleting deleting;

    Actions(ServerState state, ResourceApi api) {
        this.state = state;
        this.api = api;
        this.deleting = new Deleting(state);
    }

    ServerState state() {
        return state;
    }

    private Resource resource(Kind kind) {
        return state.resources().find(kind.group(), "v1", kind.plural()).orElseThrow();
    }

    Bucket bucket(Kind kind) {
        return state.store().bucket(kind.bucket());
    }

    Optional<StoredObject> find(Kind kind, String namespace, String name) {
        return Optional.ofNullable(bucket(kind).get(namespace, name));
    }

    /** All objects of a kind. */
    List<StoredObject> all(Kind kind) {
        return state.store().list(bucket(kind), "").objects();
    }

    /** The objects of a kind that an owner controls, in the order of their names. */
    List<StoredObject> owned(Kind kind, StoredObject owner) {
        return state.store().list(bucket(kind), owner.namespace()).objects().stream()
                .filter(object -> object.owners().contains(owner.uid()))
                .toList();
    }

    /** Creates an object that an owner controls; a refusal is logged, and tried again with the owner's next change. */
    void create(Kind kind, StoredObject owner, Kind ownerKind, ObjectNode object) {
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
            api.create(resource(kind), object, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("{} could not create a {}", owner, kind.kind());
        }
    }

    /** Replaces a state by one that was made of it; whether that was the newest. */
    boolean replace(Kind kind, StoredObject current, ObjectNode next) {
        return Equality.same(current.tree(), next)
                || state.store().replace(bucket(kind), current, StoredObject.of(next)) != null;
    }

    void delete(Kind kind, StoredObject object) {
        deleting.deleteIfPresent(resource(kind), object.namespace(), object.name(), object.uid(), "Background");
    }

    /** Takes an object away without further ado. */
    void remove(Kind kind, StoredObject object) {
        state.store().remove(bucket(kind), object);
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
