package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.controller.history.Revision;
import dev.kopf4j.devcluster.controller.history.RevisionHistory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
        for (Replica pod : pods) {
            boolean condemned = pod.ordinal() >= end(set) || pod.ordinal() < start(set);
            claims.setOwners(object, set, pod, condemned);
        }
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
                pod(pods, ordinal).ifPresent(pod -> actions.delete(WorkloadKind.POD, pod));
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
     * {@code isClaimOwnerUpToDate} and {@code updateClaimOwnerRefForSetAndPod} in
     * {@code pkg/controller/statefulset/stateful_set_utils.go}, v1.33.
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

        /**
         * Lets the claims of a pod go with the set, with the pod, or with neither, as the set says now. One that
         * another controller owns, or a namesake that has gone, is left to it.
         *
         * @param condemned whether the pod is one too many
         */
        void setOwners(StoredObject object, JsonNode set, Replica replica, boolean condemned) {
            StoredObject pod = replica.object();
            if (pod == null) {
                return;
            }
            List<ObjectNode> own = List.of(
                    ControllerActions.reference(object, WorkloadKind.STATEFUL_SET),
                    ControllerActions.reference(pod, WorkloadKind.POD));
            Optional<ObjectNode> wanted = condemned && isDeleted(set, "whenScaled")
                    ? Optional.of(own.getLast())
                    : Optional.of(own.getFirst()).filter(any -> isDeleted(set, "whenDeleted"));
            boolean retained = !isDeleted(set, "whenScaled") && !isDeleted(set, "whenDeleted");
            for (ObjectNode claim : StatefulPod.claims(set, replica.ordinal()).values()) {
                Optional<StoredObject> present = find(object, claim);
                while (present.isPresent() && !own(present.get(), own, wanted, retained)) {
                    present = find(object, claim); // another write came between
                }
            }
        }

        private boolean own(StoredObject claim, List<ObjectNode> own, Optional<ObjectNode> wanted, boolean retained) {
            ObjectNode tree = claim.tree();
            JsonNode references = tree.path("metadata").path("ownerReferences");
            if (references.valueStream().anyMatch(each -> own.stream().anyMatch(one -> isStale(each, one)))) {
                return true;
            }
            ArrayNode others = Json.array();
            references
                    .valueStream()
                    .filter(each -> own.stream().noneMatch(one -> isOf(each, one)))
                    .forEach(others::add);
            boolean foreign = !retained
                    && others.valueStream()
                            .anyMatch(each -> each.path("controller").booleanValue(false));
            wanted.filter(any -> !foreign).ifPresent(others::add);
            if (others.isEmpty()) {
                Json.child(tree, "metadata").remove("ownerReferences");
            } else {
                Json.child(tree, "metadata").set("ownerReferences", others);
            }
            return actions.replace(CLAIM, claim, tree);
        }

        private static boolean isOf(JsonNode reference, JsonNode own) {
            return Stream.of("apiVersion", "kind", "name")
                    .allMatch(field -> Json.string(reference, field).equals(Json.string(own, field)));
        }

        private static boolean isStale(JsonNode reference, JsonNode own) {
            return isOf(reference, own) && !Json.string(reference, "uid").equals(Json.string(own, "uid"));
        }
    }

    /**
     * The pods of stateful sets, with the names and the claims of their ordinals: {@code initIdentity},
     * {@code updateStorage} and {@code getPersistentVolumeClaims} in
     * {@code pkg/controller/statefulset/stateful_set_utils.go}, v1.33. Pure.
     */
    private static final class StatefulPod {
        private StatefulPod() {}

        static String name(JsonNode set, long ordinal) {
            return Json.string(set, "metadata", "name") + "-" + ordinal;
        }

        /** The pod of an ordinal, not created yet. */
        static ObjectNode create(JsonNode set, JsonNode template, long ordinal, String revision) {
            String name = name(set, ordinal);
            ObjectNode pod = PodTemplate.instantiate(template, "");
            ObjectNode metadata = Json.child(pod, "metadata");
            metadata.remove("generateName");
            metadata.put("name", name);
            Json.child(metadata, "labels")
                    .put("statefulset.kubernetes.io/pod-name", name)
                    .put("apps.kubernetes.io/pod-index", String.valueOf(ordinal))
                    .put(Replica.REVISION, revision);
            ObjectNode spec = Json.child(pod, "spec");
            spec.put("hostname", name);
            String service = Json.string(set, "spec", "serviceName");
            if (!service.isEmpty()) {
                spec.put("subdomain", service);
            }
            mount(spec, claims(set, ordinal));
            return pod;
        }

        private static void mount(ObjectNode spec, Map<String, ObjectNode> claims) {
            if (claims.isEmpty()) {
                return;
            }
            ArrayNode volumes = Json.array();
            claims.forEach((volume, claim) -> volumes.addObject()
                    .put("name", volume)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", Json.string(claim, "metadata", "name")));
            Json.items(spec, "volumes")
                    .filter(volume -> !claims.containsKey(Json.string(volume, "name")))
                    .forEach(volumes::add);
            spec.set("volumes", volumes);
        }

        /** The claims of an ordinal, by the names of their templates. */
        static Map<String, ObjectNode> claims(JsonNode set, long ordinal) {
            Map<String, ObjectNode> claims = new LinkedHashMap<>();
            for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
                String volume = Json.string(template, "metadata", "name");
                ObjectNode claim = Json.object();
                ObjectNode metadata = (ObjectNode) template.path("metadata").deepCopy();
                metadata.remove("creationTimestamp");
                metadata.put("name", volume + "-" + name(set, ordinal));
                JsonNode matched = set.at("/spec/selector/matchLabels");
                if (matched.isObject()) {
                    Json.child(metadata, "labels").setAll((ObjectNode) matched.deepCopy());
                }
                claim.set("metadata", metadata);
                claim.set("spec", template.path("spec").deepCopy());
                claims.put(volume, claim);
            }
            return claims;
        }
    }

    /**
     * Decides what a stateful set does next: {@code updateStatefulSet}, {@code processReplica} and
     * {@code processCondemned} in {@code pkg/controller/statefulset/stateful_set_control.go}, and
     * {@code newVersionedStatefulSetPod} in {@code stateful_set_utils.go}, v1.33. With the policy OrderedReady, it does
     * one thing at a time, and waits for each pod; with Parallel, it creates and deletes all at once, but updates one
     * at a time all the same. Confined to one task.
     */
    static final class StatefulSetPlan {
        private final boolean ordered;
        private final boolean updates;
        private final long partition;
        private final String updateRevision;
        private final List<Replica> replicas;
        private final List<Replica> condemned;
        private final @Nullable Replica firstUnhealthy;
        private final List<StatefulSetStep> steps = new ArrayList<>();

        /**
         * A plan for the pods that there are.
         *
         * @param currentReplicas how many pods of the current revision the status counts
         */
        StatefulSetPlan(
                JsonNode spec,
                Collection<Replica> pods,
                String currentRevision,
                String updateRevision,
                long currentReplicas) {
            boolean rolling = !Json.string(spec, "updateStrategy", "type").equals("OnDelete");
            JsonNode rollingUpdate = spec.path("updateStrategy").path("rollingUpdate");
            this.ordered = !Json.string(spec, "podManagementPolicy").equals("Parallel");
            this.updates = rolling;
            this.partition = rollingUpdate.path("partition").longValue(0);
            this.updateRevision = updateRevision;
            long start = spec.path("ordinals").path("start").longValue(0);
            long end = start + spec.path("replicas").longValue(1);
            boolean counted = rolling && !rollingUpdate.isObject();
            long keepCurrent = start + (counted ? currentReplicas : partition);
            Map<Long, Replica> present = new HashMap<>();
            pods.forEach(pod -> present.put(pod.ordinal(), pod));
            this.replicas = LongStream.range(start, end)
                    .mapToObj(ordinal -> present.getOrDefault(
                            ordinal,
                            Replica.missing(ordinal, ordinal < keepCurrent ? currentRevision : updateRevision)))
                    .toList();
            this.condemned = pods.stream()
                    .filter(pod -> pod.ordinal() < start || pod.ordinal() >= end)
                    .sorted(Comparator.comparingLong(Replica::ordinal).reversed())
                    .toList();
            this.firstUnhealthy = Stream.concat(replicas.stream(), condemned.reversed().stream())
                    .filter(pod -> !pod.isHealthy())
                    .findFirst()
                    .orElse(null);
        }

        /** What is to be done now; nothing if it has to wait, or is done. */
        List<StatefulSetStep> steps() {
            if (keep() && shrink() && updates) {
                update();
            }
            return List.copyOf(steps);
        }

        /** Sees that all replicas are there and healthy; false if the rest has to wait. */
        private boolean keep() {
            for (Replica replica : replicas) {
                if (!keep(replica) && ordered) {
                    return false;
                }
            }
            return true;
        }

        private boolean keep(Replica replica) {
            if (replica.hasEnded()) {
                if (!replica.deleting()) {
                    steps.add(new StatefulSetStep.Delete(replica.ordinal()));
                }
                return false;
            }
            if (replica.isMissing()) {
                steps.add(new StatefulSetStep.Create(replica.ordinal(), replica.revision()));
                return false;
            }
            if (replica.phase().equals("Pending")) {
                steps.add(new StatefulSetStep.Claims(replica.ordinal()));
            }
            return replica.isHealthy() && replica.available();
        }

        /** Deletes the pods beyond the number of replicas, the last one first; false if the rest has to wait. */
        private boolean shrink() {
            for (Replica pod : condemned) {
                boolean inTheWay = pod.equals(firstUnhealthy);
                if (!pod.deleting() && (!ordered || inTheWay || pod.available())) {
                    steps.add(new StatefulSetStep.Delete(pod.ordinal()));
                }
                if (ordered) {
                    return false;
                }
            }
            return true;
        }

        /** Deletes the last pod of another revision, if all after it are healthy. */
        private void update() {
            for (int target = replicas.size() - 1; target >= partition; target--) {
                Replica replica = replicas.get(target);
                if (!replica.revision().equals(updateRevision) && !replica.deleting()) {
                    steps.add(new StatefulSetStep.Delete(replica.ordinal()));
                    return;
                }
                if (!replica.isHealthy()) {
                    return;
                }
            }
        }
    }
}
