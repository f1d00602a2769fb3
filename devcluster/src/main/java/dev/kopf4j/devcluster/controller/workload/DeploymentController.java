package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deployments: a replica set for each template, of which the newest has all pods in the end. A rolling update brings up
 * all new pods, then takes the old ones down; the bounds of the strategy are not looked at.
 */
final class DeploymentController implements WorkloadSimulation.Controller {
    private static final String HASH = "pod-template-hash";
    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private final ControllerActions controllerActions;

    DeploymentController(ControllerActions controllerActions) {
        this.controllerActions = controllerActions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode deployment = object.tree();
        JsonNode spec = deployment.path("spec");
        String hash = hash(spec.path("template"));
        List<StoredObject> sets = controllerActions.owned(WorkloadKind.REPLICA_SET, object);
        Optional<StoredObject> newest = sets.stream()
                .filter(set -> set.name().equals(object.name() + "-" + hash))
                .findFirst();
        List<StoredObject> old = sets.stream()
                .filter(set -> newest.filter(set::equals).isEmpty())
                .toList();
        long wanted = spec.path("replicas").longValue(1);
        boolean recreate = Json.string(spec, "strategy", "type").equals("Recreate");
        boolean oldGone = old.stream().allMatch(set -> ReplicaSetController.number(set.tree(), "replicas") == 0);
        status(object, deployment, wanted, newest, sets);
        if (spec.path("paused").booleanValue(false)) {
            newest.ifPresent(set -> scale(set, wanted));
        } else if (recreate && !oldGone) {
            old.forEach(set -> scale(set, 0));
        } else if (newest.isEmpty()) {
            create(object, spec, hash, wanted, highest(sets) + 1);
        } else if (!renew(newest.get(), deployment, highest(old))) {
            scale(newest.get(), wanted);
            if (ReplicaSetController.number(newest.get().tree(), "availableReplicas") >= wanted) {
                old.forEach(set -> scale(set, 0));
            }
        }
    }

    /**
     * The newest set has the highest revision, also when it is an old one anew, and tells what the deployment tells.
     */
    private boolean renew(StoredObject set, JsonNode deployment, long highest) {
        ObjectNode tree = set.tree();
        ObjectNode annotations = Json.child(Json.child(tree, "metadata"), "annotations");
        for (Map.Entry<String, JsonNode> told :
                deployment.path("metadata").path("annotations").properties()) {
            if (!told.getKey().equals(APPLIED) && !told.getKey().equals(REVISION)) {
                annotations.set(told.getKey(), told.getValue());
            }
        }
        if (revision(tree) <= highest) {
            annotations.put(REVISION, String.valueOf(highest + 1));
        }
        return !JsonEquality.same(set.tree(), tree) && controllerActions.replace(WorkloadKind.REPLICA_SET, set, tree);
    }

    private static long highest(List<StoredObject> sets) {
        return sets.stream().mapToLong(set -> revision(set.tree())).max().orElse(0);
    }

    private static long revision(JsonNode set) {
        String revision = Json.string(set.path("metadata").path("annotations"), REVISION);
        return revision.matches("[0-9]{1,18}") ? Long.parseLong(revision) : 0;
    }

    private static String hash(JsonNode template) {
        CRC32 sum = new CRC32();
        sum.update(Json.bytes(template));
        return Long.toString(sum.getValue(), 36);
    }

    private void create(StoredObject object, JsonNode spec, String hash, long replicas, long revision) {
        ObjectNode set = Json.object();
        ObjectNode metadata = set.putObject("metadata").put("name", object.name() + "-" + hash);
        ObjectNode template = (ObjectNode) spec.path("template").deepCopy();
        ObjectNode labels =
                Json.child(Json.child(template, "metadata"), "labels").put(HASH, hash);
        metadata.set("labels", labels.deepCopy());
        metadata.putObject("annotations").put(REVISION, String.valueOf(revision));
        ObjectNode selector = (ObjectNode) spec.path("selector").deepCopy();
        Json.child(selector, "matchLabels").put(HASH, hash);
        ObjectNode setSpec = set.putObject("spec").put("replicas", replicas);
        setSpec.set("selector", selector);
        setSpec.set("template", template);
        controllerActions.create(WorkloadKind.REPLICA_SET, object, WorkloadKind.DEPLOYMENT, set);
    }

    private void scale(StoredObject set, long replicas) {
        ObjectNode tree = set.tree();
        ObjectNode spec = Json.child(tree, "spec");
        if (spec.path("replicas").longValue(1) != replicas) {
            spec.put("replicas", replicas);
            ObjectNode metadata = Json.child(tree, "metadata");
            metadata.put("generation", metadata.path("generation").longValue(1) + 1);
            controllerActions.replace(WorkloadKind.REPLICA_SET, set, tree);
        }
    }

    private void status(
            StoredObject object,
            ObjectNode deployment,
            long wanted,
            Optional<StoredObject> newest,
            List<StoredObject> sets) {
        List<JsonNode> trees = sets.stream().<JsonNode>map(StoredObject::tree).toList();
        long replicas = sum(trees, "replicas");
        long available = sum(trees, "availableReplicas");
        long updated = newest.map(set -> ReplicaSetController.number(set.tree(), "replicas"))
                .orElse(0L);
        long updatedReady = newest.map(set -> ReplicaSetController.number(set.tree(), "availableReplicas"))
                .orElse(0L);
        ObjectNode status = Json.child(deployment, "status");
        status.put(
                "observedGeneration",
                deployment.path("metadata").path("generation").longValue(1));
        ReplicaSetController.number(status, "replicas", replicas);
        ReplicaSetController.number(status, "updatedReplicas", updated);
        ReplicaSetController.number(status, "readyReplicas", sum(trees, "readyReplicas"));
        ReplicaSetController.number(status, "availableReplicas", available);
        ReplicaSetController.number(status, "unavailableReplicas", Math.max(0, wanted - available));
        String now = controllerActions.state().now();
        boolean enough = available >= wanted;
        StatusConditions.set(
                status,
                "Available",
                enough,
                enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
                now);
        boolean done = newest.isPresent() && updatedReady >= wanted && replicas == updated;
        StatusConditions.set(
                status,
                "Progressing",
                true,
                done ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                done ? "The new replica set has successfully progressed." : "The replica set is progressing.",
                now);
        newest.map(set -> Json.string(set.tree().path("metadata").path("annotations"), REVISION))
                .filter(revision -> !revision.isEmpty())
                .ifPresent(revision -> Json.child(Json.child(deployment, "metadata"), "annotations")
                        .put(REVISION, revision));
        controllerActions.replace(WorkloadKind.DEPLOYMENT, object, deployment);
    }

    private static long sum(List<JsonNode> sets, String field) {
        return sets.stream()
                .mapToLong(set -> ReplicaSetController.number(set, field))
                .sum();
    }
}
