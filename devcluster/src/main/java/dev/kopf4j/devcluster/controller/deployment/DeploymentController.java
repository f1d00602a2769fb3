package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.TemplateHash;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls deployments: each template has a replica set, and the newest one has all pods in the end; a rolling update
 * obeys {@code maxSurge} and {@code maxUnavailable}. See {@code pkg/controller/deployment}, v1.33.
 */
public final class DeploymentController implements WorkloadController {
    private static final String HASH = "pod-template-hash";

    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public DeploymentController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode deployment = object.tree();
        String hash = TemplateHash.of(deployment.path("spec").path("template"));
        String name = object.name() + "-" + hash;
        ReplicaSets sets = ReplicaSets.of(actions.owned(WorkloadKind.REPLICA_SET, object), name);
        updateStatus(object, deployment, sets, name);
        act(object, deployment, sets, hash);
    }

    private void act(StoredObject object, ObjectNode deployment, ReplicaSets sets, String hash) {
        JsonNode spec = deployment.path("spec");
        RollingUpdate limits = RollingUpdate.of(spec);
        Optional<StoredObject> newest = sets.newest();
        if (spec.path("paused").booleanValue(false) || sets.areForAnotherScale(limits.wanted())) {
            resize(
                    sets,
                    limits,
                    RollingUpdate.proportionalSizes(
                            limits, RollingUpdate.isRolling(spec), newest.map(ReplicaSets::size), sets.oldSizes()));
        } else if (!RollingUpdate.isRolling(spec) && !areGone(sets.old())) {
            sets.old().forEach(set -> resize(set, limits, 0));
        } else if (newest.isEmpty()) {
            ReplicaSetSize fresh = new ReplicaSetSize("", "", 0, 0, 0);
            long size = limits.newestSize(fresh, sets.oldSizes());
            create(object, spec, hash, limits, size, DeploymentRevision.highest(sets.old()) + 1);
        } else if (!renew(newest.get(), deployment, sets.old())) {
            resize(sets, limits, limits.next(ReplicaSets.size(newest.get()), sets.oldSizes()));
            if (StatusCounts.get(newest.get().tree(), "availableReplicas") >= limits.wanted()) {
                sets.beyondHistory(spec.path("revisionHistoryLimit").longValue(10))
                        .forEach(set -> actions.delete(WorkloadKind.REPLICA_SET, set));
            }
        }
    }

    /** {@code oldPodsRunning} in {@code recreate.go}: also pods that are being deleted count. */
    private boolean areGone(List<StoredObject> sets) {
        return sets.stream()
                .noneMatch(set -> ReplicaSets.size(set).isActive()
                        || actions.owned(WorkloadKind.POD, set).stream()
                                .anyMatch(pod -> !PodTemplate.hasEnded(pod.tree())));
    }

    private void updateStatus(StoredObject object, ObjectNode deployment, ReplicaSets sets, String name) {
        List<JsonNode> trees =
                sets.all().stream().<JsonNode>map(StoredObject::tree).toList();
        JsonNode before = deployment.path("status").deepCopy();
        setStatus(deployment, sets.newest().<JsonNode>map(StoredObject::tree), trees, actions.now());
        DeploymentProgress progress = new DeploymentProgress(deployment, before, actions.now());
        progress.set(name, sets.newest().isPresent());
        actions.replace(WorkloadKind.DEPLOYMENT, object, deployment);
        progress.deadline().ifPresent(time -> actions.syncAt(WorkloadKind.DEPLOYMENT, object, time));
    }

    /** Updates the newest replica set; true if it had to change. */
    private boolean renew(StoredObject set, JsonNode deployment, List<StoredObject> old) {
        ObjectNode tree = set.tree();
        DeploymentRevision.renew(tree, deployment, DeploymentRevision.highest(old));
        JsonNode wait = deployment.path("spec").path("minReadySeconds");
        ObjectNode spec = Json.child(tree, "spec");
        if (spec.path("minReadySeconds").longValue(0) != wait.longValue(0)) {
            spec.set("minReadySeconds", wait.isMissingNode() ? Json.object().numberNode(0) : wait);
            return actions.replaceSpec(WorkloadKind.REPLICA_SET, set, tree);
        }
        return !JsonEquality.same(set.tree(), tree) && actions.replace(WorkloadKind.REPLICA_SET, set, tree);
    }

    private void create(
            StoredObject object, JsonNode spec, String hash, RollingUpdate limits, long replicas, long revision) {
        ObjectNode set = newReplicaSet(object.name(), spec, hash, replicas);
        ObjectNode annotations = Json.child(Json.child(set, "metadata"), "annotations");
        annotations.put(DeploymentRevision.ANNOTATION, String.valueOf(revision));
        annotate(annotations, limits);
        actions.create(WorkloadKind.REPLICA_SET, object, WorkloadKind.DEPLOYMENT, set);
    }

    private static void annotate(ObjectNode annotations, RollingUpdate limits) {
        annotations
                .put(ReplicaSetSize.DESIRED, String.valueOf(limits.wanted()))
                .put(ReplicaSetSize.MAX, String.valueOf(limits.maxTotal()));
    }

    private void resize(ReplicaSets sets, RollingUpdate limits, Map<String, Long> sizes) {
        for (StoredObject set : sets.all()) {
            Long size = sizes.get(set.name());
            if (size != null) {
                resize(set, limits, size);
            }
        }
    }

    private void resize(StoredObject set, RollingUpdate limits, long replicas) {
        ObjectNode tree = set.tree();
        annotate(Json.child(Json.child(tree, "metadata"), "annotations"), limits);
        ObjectNode spec = Json.child(tree, "spec");
        if (spec.path("replicas").longValue(1) == replicas) {
            actions.replace(WorkloadKind.REPLICA_SET, set, tree);
        } else {
            spec.put("replicas", replicas);
            actions.replaceSpec(WorkloadKind.REPLICA_SET, set, tree);
        }
    }

    /** The replica set that a deployment makes: {@code getNewReplicaSet} in {@code sync.go}, v1.33. */
    private static ObjectNode newReplicaSet(String deployment, JsonNode spec, String hash, long replicas) {
        ObjectNode set = Json.object();
        ObjectNode metadata = set.putObject("metadata").put("name", deployment + "-" + hash);
        ObjectNode template = (ObjectNode) spec.path("template").deepCopy();
        ObjectNode labels =
                Json.child(Json.child(template, "metadata"), "labels").put(HASH, hash);
        metadata.set("labels", labels.deepCopy());
        ObjectNode selector = (ObjectNode) spec.path("selector").deepCopy();
        Json.child(selector, "matchLabels").put(HASH, hash);
        ObjectNode setSpec = set.putObject("spec").put("replicas", replicas);
        if (spec.has("minReadySeconds")) {
            setSpec.set("minReadySeconds", spec.path("minReadySeconds"));
        }
        setSpec.set("selector", selector);
        setSpec.set("template", template);
        return set;
    }

    /**
     * Sets the status, and the revision, of a deployment: {@code pkg/controller/deployment/sync.go}, v1.33.
     *
     * @param newest the replica set of the present template, if there is one
     * @param sets all replica sets
     */
    private static void setStatus(ObjectNode deployment, Optional<JsonNode> newest, List<JsonNode> sets, String now) {
        long wanted = deployment.path("spec").path("replicas").longValue(1);
        long replicas = StatusCounts.sum(sets, "replicas");
        long available = StatusCounts.sum(sets, "availableReplicas");
        long updated = newest.map(set -> StatusCounts.get(set, "replicas")).orElse(0L);
        ObjectNode status = Json.child(deployment, "status");
        status.put(
                "observedGeneration",
                deployment.path("metadata").path("generation").longValue(1));
        StatusCounts.set(status, "replicas", replicas);
        StatusCounts.set(status, "updatedReplicas", updated);
        StatusCounts.set(status, "readyReplicas", StatusCounts.sum(sets, "readyReplicas"));
        StatusCounts.set(status, "availableReplicas", available);
        StatusCounts.set(status, "unavailableReplicas", Math.max(0, wanted - available));
        boolean enough = available >= RollingUpdate.of(deployment.path("spec")).minAvailable();
        JsonNode former = StatusConditions.find(status, "Available")
                .map(JsonNode::deepCopy)
                .orElse(Json.missing());
        ObjectNode condition = StatusConditions.set(
                status,
                "Available",
                enough,
                enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
                now);
        if (!Json.string(former, "status").equals(Json.string(condition, "status"))) {
            condition.put("lastUpdateTime", now);
        }
        newest.map(DeploymentRevision::text)
                .filter(revision -> !revision.isEmpty())
                .ifPresent(revision -> Json.child(Json.child(deployment, "metadata"), "annotations")
                        .put(DeploymentRevision.ANNOTATION, revision));
    }

    /** The replica sets of a deployment: the one of its present template, and the old ones. Immutable. */
    private record ReplicaSets(List<StoredObject> all, Optional<StoredObject> newest, List<StoredObject> old) {
        static ReplicaSets of(List<StoredObject> all, String newestName) {
            Optional<StoredObject> newest =
                    all.stream().filter(set -> set.name().equals(newestName)).findFirst();
            List<StoredObject> old = all.stream()
                    .filter(set -> newest.filter(set::equals).isEmpty())
                    .toList();
            return new ReplicaSets(all, newest, old);
        }

        static ReplicaSetSize size(StoredObject set) {
            return ReplicaSetSize.of(set.tree());
        }

        List<ReplicaSetSize> oldSizes() {
            return old.stream().map(ReplicaSets::size).toList();
        }

        /** {@code isScalingEvent}: whether a set with pods was scaled for another number of replicas. */
        boolean areForAnotherScale(long wanted) {
            return all.stream()
                    .map(StoredObject::tree)
                    .filter(set -> ReplicaSetSize.of(set).isActive())
                    .anyMatch(set -> ReplicaSetSize.annotated(set, ReplicaSetSize.DESIRED, wanted) != wanted);
        }

        /** {@code cleanupDeployment}: the old sets without pods that are too many, those of low revisions first. */
        List<StoredObject> beyondHistory(long limit) {
            List<StoredObject> spent = old.stream()
                    .filter(set -> !set.deleting() && isSpent(set.tree()))
                    .sorted(Comparator.comparingLong(set -> DeploymentRevision.of(set.tree())))
                    .toList();
            return spent.subList(0, (int) Math.max(0, spent.size() - limit));
        }

        private static boolean isSpent(ObjectNode set) {
            return !ReplicaSetSize.of(set).isActive()
                    && set.path("status").path("replicas").longValue(0) == 0
                    && set.path("status").path("observedGeneration").longValue(0)
                            >= set.path("metadata").path("generation").longValue(0);
        }
    }
}
