package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls deployments: each template has a replica set, and the newest one has all pods in the end. A rolling update
 * brings up all new pods, and then takes the old ones down; it does not obey {@code maxSurge} and
 * {@code maxUnavailable}.
 */
final class DeploymentController implements WorkloadSimulation.Controller {
    private static final String HASH = "pod-template-hash";
    private final ControllerActions actions;

    DeploymentController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode deployment = object.tree();
        JsonNode spec = deployment.path("spec");
        String hash = hash(spec.path("template"));
        List<StoredObject> sets = actions.owned(WorkloadKind.REPLICA_SET, object);
        Optional<StoredObject> newest = sets.stream()
                .filter(set -> set.name().equals(object.name() + "-" + hash))
                .findFirst();
        List<StoredObject> old = sets.stream()
                .filter(set -> newest.filter(set::equals).isEmpty())
                .toList();
        updateStatus(object, deployment, newest, sets);
        long wanted = spec.path("replicas").longValue(1);
        if (spec.path("paused").booleanValue(false)) {
            newest.ifPresent(set -> scale(set, wanted));
        } else if (isRecreate(spec) && !areGone(old)) {
            old.forEach(set -> scale(set, 0));
        } else if (newest.isEmpty()) {
            create(object, spec, hash, wanted, DeploymentRevision.highest(sets) + 1);
        } else if (!renew(newest.get(), deployment, old)) {
            scale(newest.get(), wanted);
            if (StatusCounts.get(newest.get().tree(), "availableReplicas") >= wanted) {
                old.forEach(set -> scale(set, 0));
            }
        }
    }

    private static boolean isRecreate(JsonNode spec) {
        return Json.string(spec, "strategy", "type").equals("Recreate");
    }

    private static boolean areGone(List<StoredObject> sets) {
        return sets.stream().allMatch(set -> StatusCounts.get(set.tree(), "replicas") == 0);
    }

    private static String hash(JsonNode template) {
        CRC32 sum = new CRC32();
        sum.update(Json.bytes(template));
        return Long.toString(sum.getValue(), 36);
    }

    private void updateStatus(
            StoredObject object, ObjectNode deployment, Optional<StoredObject> newest, List<StoredObject> sets) {
        List<JsonNode> trees = sets.stream().<JsonNode>map(StoredObject::tree).toList();
        DeploymentStatus.set(deployment, newest.<JsonNode>map(StoredObject::tree), trees, actions.now());
        actions.replace(WorkloadKind.DEPLOYMENT, object, deployment);
    }

    /** Updates the newest replica set; true if it had to change. */
    private boolean renew(StoredObject set, JsonNode deployment, List<StoredObject> old) {
        ObjectNode tree = set.tree();
        DeploymentRevision.renew(tree, deployment, DeploymentRevision.highest(old));
        return !JsonEquality.same(set.tree(), tree) && actions.replace(WorkloadKind.REPLICA_SET, set, tree);
    }

    private void create(StoredObject object, JsonNode spec, String hash, long replicas, long revision) {
        ObjectNode set = Json.object();
        ObjectNode metadata = set.putObject("metadata").put("name", object.name() + "-" + hash);
        ObjectNode template = (ObjectNode) spec.path("template").deepCopy();
        ObjectNode labels =
                Json.child(Json.child(template, "metadata"), "labels").put(HASH, hash);
        metadata.set("labels", labels.deepCopy());
        metadata.putObject("annotations").put(DeploymentRevision.ANNOTATION, String.valueOf(revision));
        ObjectNode selector = (ObjectNode) spec.path("selector").deepCopy();
        Json.child(selector, "matchLabels").put(HASH, hash);
        ObjectNode setSpec = set.putObject("spec").put("replicas", replicas);
        setSpec.set("selector", selector);
        setSpec.set("template", template);
        actions.create(WorkloadKind.REPLICA_SET, object, WorkloadKind.DEPLOYMENT, set);
    }

    private void scale(StoredObject set, long replicas) {
        ObjectNode tree = set.tree();
        ObjectNode spec = Json.child(tree, "spec");
        if (spec.path("replicas").longValue(1) != replicas) {
            spec.put("replicas", replicas);
            ObjectNode metadata = Json.child(tree, "metadata");
            metadata.put("generation", metadata.path("generation").longValue(1) + 1);
            actions.replace(WorkloadKind.REPLICA_SET, set, tree);
        }
    }
}
