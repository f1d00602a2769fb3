package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.controller.history.Revision;
import dev.kopf4j.devcluster.controller.history.RevisionHistory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls stateful sets: carries out what {@link StatefulSetPlan} says. Claims stay when their pods go, unless the set
 * says otherwise ({@code persistentVolumeClaimRetentionPolicy}). See {@code pkg/controller/statefulset}, v1.33.
 */
public final class StatefulSetController implements WorkloadController {
    private static final WorkloadKind KIND = WorkloadKind.STATEFUL_SET;
    private final ControllerActions actions;
    private final RevisionHistory history;
    private final RetainedClaims claims;

    /** A controller without a state of its own. */
    public StatefulSetController(ControllerActions actions) {
        this.actions = actions;
        this.history = new RevisionHistory(actions, KIND);
        this.claims = new RetainedClaims(actions);
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode set = object.tree();
        if (!object.deleting()) {
            history.update(object, set).ifPresent(revision -> sync(object, set, revision));
        }
    }

    private void sync(StoredObject object, ObjectNode set, Revision update) {
        String named = Json.string(set, "status", "currentRevision");
        Revision current = history.of(object).stream()
                .filter(revision -> revision.name().equals(named))
                .findFirst()
                .orElse(update);
        List<Replica> pods = pods(object, set);
        StatefulSetPlan plan = new StatefulSetPlan(
                set.path("spec"), pods, current.name(), update.name(), StatusCounts.get(set, "currentReplicas"));
        setStatus(set, pods, current.name(), update.name());
        actions.replace(KIND, object, set);
        for (StatefulSetStep step : plan.steps()) {
            take(
                    step,
                    object,
                    set,
                    pods,
                    step instanceof StatefulSetStep.Create(long ordinal, String revision)
                                    && revision.equals(current.name())
                            ? current
                            : update);
        }
        truncate(object, set, pods, current, update);
    }

    private List<Replica> pods(StoredObject object, JsonNode set) {
        PodAvailability availability = PodAvailability.of(set.path("spec"), actions.instant());
        List<Replica> replicas = new ArrayList<>();
        List<JsonNode> trees = new ArrayList<>();
        for (StoredObject pod : actions.owned(WorkloadKind.POD, object)) {
            JsonNode tree = pod.tree();
            trees.add(tree);
            Replica.of(pod, tree, object.name(), availability).ifPresent(replicas::add);
        }
        availability.next(trees).ifPresent(time -> actions.syncAt(KIND, object, time));
        return replicas;
    }

    private void take(
            StatefulSetStep step, StoredObject object, ObjectNode set, List<Replica> pods, Revision revision) {
        switch (step) {
            case StatefulSetStep.Create(long ordinal, String name) -> {
                claims.create(object, set, ordinal);
                ObjectNode pod = StatefulPod.create(set, revision.template(), ordinal, name);
                actions.create(WorkloadKind.POD, object, KIND, pod);
            }
            case StatefulSetStep.Claims(long ordinal) -> claims.create(object, set, ordinal);
            case StatefulSetStep.Delete(long ordinal) ->
                pod(pods, ordinal).ifPresent(pod -> {
                    if (ordinal >= end(set) || ordinal < start(set)) {
                        claims.tieTo(pod, set, ordinal);
                    }
                    actions.delete(WorkloadKind.POD, pod);
                });
        }
    }

    private static long start(JsonNode set) {
        return set.at("/spec/ordinals/start").longValue(0);
    }

    private static long end(JsonNode set) {
        return start(set) + set.at("/spec/replicas").longValue(1);
    }

    private static Optional<StoredObject> pod(List<Replica> pods, long ordinal) {
        return pods.stream()
                .filter(pod -> pod.ordinal() == ordinal)
                .flatMap(pod -> Optional.ofNullable(pod.object()).stream())
                .findFirst();
    }

    private void truncate(StoredObject object, JsonNode set, List<Replica> pods, Revision current, Revision update) {
        Set<String> live = new HashSet<>(List.of(current.name(), update.name()));
        pods.forEach(pod -> live.add(pod.revision()));
        history.truncate(object, set, live);
    }

    /**
     * Sets the status by the pods that there are: {@code updateStatus} in
     * {@code pkg/controller/statefulset/stateful_set_control.go}, and {@code completeRollingUpdate} in
     * {@code stateful_set_utils.go}, v1.33.
     */
    private static void setStatus(
            ObjectNode set, Collection<Replica> pods, String currentRevision, String updateRevision) {
        JsonNode spec = set.path("spec");
        ObjectNode status = Json.child(set, "status");
        long wanted = spec.path("replicas").longValue(1);
        long ready = count(pods, Replica::ready);
        long updated = count(pods, pod -> !pod.deleting() && pod.revision().equals(updateRevision));
        long current = count(pods, pod -> !pod.deleting() && pod.revision().equals(currentRevision));
        boolean rolling = !Json.string(spec, "updateStrategy", "type").equals("OnDelete");
        boolean complete = rolling && updated == wanted && ready == wanted && pods.size() == wanted;
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        status.put("replicas", pods.size());
        StatusCounts.set(status, "readyReplicas", ready);
        status.put("availableReplicas", count(pods, Replica::available));
        StatusCounts.set(status, "currentReplicas", complete ? updated : current);
        StatusCounts.set(status, "updatedReplicas", updated);
        status.put("currentRevision", complete ? updateRevision : currentRevision);
        status.put("updateRevision", updateRevision);
        status.put("collisionCount", 0);
    }

    private static long count(Collection<Replica> pods, Predicate<Replica> which) {
        return pods.stream().filter(which).count();
    }

    /**
     * The claims of stateful sets. They stay, unless the set's {@code persistentVolumeClaimRetentionPolicy} says that
     * they are deleted with the set, or with a pod that is one too many: then that is their owner. See
     * {@code updateClaimOwnerRefForSetAndPod} in {@code pkg/controller/statefulset/stateful_set_utils.go}, v1.33.
     */
    private static final class RetainedClaims {
        private static final WorkloadKind CLAIM = WorkloadKind.PERSISTENT_VOLUME_CLAIM;
        private final ControllerActions actions;

        RetainedClaims(ControllerActions actions) {
            this.actions = actions;
        }

        private static boolean isDeleted(JsonNode set, String when) {
            return Json.string(set, "spec", "persistentVolumeClaimRetentionPolicy", when)
                    .equals("Delete");
        }

        /** Creates the claims of an ordinal that are missing. */
        void create(StoredObject object, JsonNode set, long ordinal) {
            for (ObjectNode claim : StatefulPod.claims(set, ordinal).values()) {
                if (find(object, claim).isPresent()) {
                    continue;
                }
                if (isDeleted(set, "whenDeleted")) {
                    actions.create(CLAIM, object, WorkloadKind.STATEFUL_SET, claim);
                } else {
                    actions.create(CLAIM, object.namespace(), claim);
                }
            }
        }

        private Optional<StoredObject> find(StoredObject neighbour, JsonNode claim) {
            return actions.find(CLAIM, neighbour.namespace(), Json.string(claim, "metadata", "name"));
        }

        /** Lets the claims of a pod that is one too many go with it, if the set says so. */
        void tieTo(StoredObject pod, JsonNode set, long ordinal) {
            if (!isDeleted(set, "whenScaled")) {
                return;
            }
            for (ObjectNode claim : StatefulPod.claims(set, ordinal).values()) {
                find(pod, claim).ifPresent(present -> own(present, pod));
            }
        }

        private void own(StoredObject claim, StoredObject pod) {
            ObjectNode tree = claim.tree();
            Json.child(tree, "metadata")
                    .putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", WorkloadKind.POD.apiVersion())
                    .put("kind", WorkloadKind.POD.kind())
                    .put("name", pod.name())
                    .put("uid", pod.uid())
                    .put("controller", true)
                    .put("blockOwnerDeletion", true);
            actions.replace(CLAIM, claim, tree);
        }
    }
}
