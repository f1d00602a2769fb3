package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.TemplateHash;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls deployments: each template has a replica set, and the newest one has all pods in the end; a rolling update
 * obeys {@code maxSurge} and {@code maxUnavailable}. See {@code pkg/controller/deployment}, v1.33.
 */
public final class DeploymentController implements WorkloadController {
    private static final String HASH = "pod-template-hash";
    private static final String FAILURE = "ReplicaFailure";

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
        JsonNode template = deployment.path("spec").path("template");
        String hash = TemplateHash.of(template);
        String nameOfNew = object.name() + "-" + hash;
        LabelSelector selector = LabelSelector.of(WorkloadKind.DEPLOYMENT.selector(deployment));
        ReplicaSets sets = ReplicaSets.of(
                actions.claim(WorkloadKind.REPLICA_SET, object, WorkloadKind.DEPLOYMENT, selector, set -> true),
                template,
                nameOfNew);
        String name = sets.newest().map(StoredObject::name).orElse(nameOfNew);
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
        copyFailure(
                Json.child(deployment, "status"),
                Stream.concat(sets.newest().stream().map(StoredObject::tree), trees.stream()));
        actions.replace(WorkloadKind.DEPLOYMENT, object, deployment);
        progress.deadline().ifPresent(time -> actions.syncAt(WorkloadKind.DEPLOYMENT, object, time));
    }

    /** {@code getReplicaFailures} in {@code pkg/controller/deployment/progress.go}, v1.33. */
    private static void copyFailure(ObjectNode status, Stream<? extends JsonNode> sets) {
        Optional<JsonNode> failure = sets.flatMap(set -> StatusConditions.find(set.path("status"), FAILURE).stream())
                .findFirst();
        if (failure.isEmpty()) {
            StatusConditions.remove(status, FAILURE);
            return;
        }
        JsonNode of = failure.get();
        String since = Json.string(of, "lastTransitionTime");
        boolean truth = Json.string(of, "status").equals("True");
        StatusConditions.set(status, FAILURE, truth, Json.string(of, "reason"), Json.string(of, "message"), since)
                .put("lastUpdateTime", since);
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
        long wanted = sets.stream()
                .mapToLong(set -> set.path("spec").path("replicas").longValue(1))
                .sum();
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
        /**
         * {@code FindNewReplicaSet}: the oldest one with the template; a webhook may have changed it, so by its name.
         */
        static ReplicaSets of(List<StoredObject> all, JsonNode template, String newestName) {
            JsonNode wanted = withoutHash(template);
            Optional<StoredObject> newest = all.stream()
                    .filter(set -> JsonEquality.same(
                            wanted, withoutHash(set.tree().path("spec").path("template"))))
                    .min(Comparator.comparing((StoredObject set) -> size(set).created())
                            .thenComparing(StoredObject::name))
                    .or(() -> all.stream()
                            .filter(set -> set.name().equals(newestName))
                            .findFirst());
            List<StoredObject> old = all.stream()
                    .filter(set -> newest.filter(set::equals).isEmpty())
                    .toList();
            return new ReplicaSets(all, newest, old);
        }

        /** {@code EqualIgnoreHash}: a set has one label more than the template that it was made of. */
        private static JsonNode withoutHash(JsonNode template) {
            JsonNode copy = template.deepCopy();
            if (copy.path("metadata").path("labels") instanceof ObjectNode labels) {
                labels.remove(HASH);
            }
            return copy;
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

    /**
     * The condition Progressing of a deployment: {@code syncRolloutStatus} in
     * {@code pkg/controller/deployment/progress.go}, v1.33. A rollout that makes no progress for
     * {@code progressDeadlineSeconds} has failed. Confined to one task.
     */
    private static final class DeploymentProgress {
        private static final String TYPE = "Progressing";
        private static final String AVAILABLE = "NewReplicaSetAvailable";
        private static final String TIMED_OUT = "ProgressDeadlineExceeded";
        private final JsonNode deployment;
        private final ObjectNode status;
        private final JsonNode before;
        private final String now;

        /**
         * The progress of a deployment whose status has the counts of now.
         *
         * @param before the status as it was
         */
        DeploymentProgress(ObjectNode deployment, JsonNode before, String now) {
            this.deployment = deployment;
            this.status = Json.child(deployment, "status");
            this.before = before;
            this.now = now;
        }

        private long wanted() {
            return deployment.path("spec").path("replicas").longValue(1);
        }

        private long seconds() {
            return deployment.path("spec").path("progressDeadlineSeconds").longValue(Integer.MAX_VALUE);
        }

        private String reason() {
            return StatusConditions.find(status, TYPE)
                    .map(condition -> Json.string(condition, "reason"))
                    .orElse("");
        }

        /**
         * Sets the condition.
         *
         * @param newest the name of the replica set of the present template
         * @param exists whether it is there already
         */
        void set(String newest, boolean exists) {
            boolean paused = deployment.path("spec").path("paused").booleanValue(false);
            String set = "ReplicaSet \"" + newest + "\" ";
            if (seconds() >= Integer.MAX_VALUE) {
                Json.list(status, "conditions")
                        .removeIf(condition -> Json.string(condition, "type").equals(TYPE));
            } else if (paused) {
                put("Unknown", "DeploymentPaused", "Deployment is paused");
            } else if (reason().equals("DeploymentPaused")) {
                put("Unknown", "DeploymentResumed", "Deployment is resumed");
            } else if (!exists) {
                put("True", "NewReplicaSetCreated", "Created new replica set \"" + newest + "\"");
            } else if (isComplete()) {
                put("True", AVAILABLE, set + "has successfully progressed.");
            } else if (reason().equals(AVAILABLE) && old(status) == 0) {
                return; // only scaled: the rollout is over
            } else if (reason().isEmpty() || isProgressing()) {
                put("True", "ReplicaSetUpdated", set + "is progressing.");
            } else if (deadline()
                    .filter(time -> !time.isAfter(Instant.parse(now)))
                    .isPresent()) {
                put("False", TIMED_OUT, set + "has timed out progressing.");
            }
        }

        private static long count(JsonNode status, String field) {
            return status.path(field).longValue(0);
        }

        private boolean isComplete() {
            return count(status, "updatedReplicas") == wanted()
                    && count(status, "replicas") == wanted()
                    && count(status, "availableReplicas") == wanted();
        }

        private boolean isProgressing() {
            return count(status, "updatedReplicas") > count(before, "updatedReplicas")
                    || old(status) < old(before)
                    || count(status, "readyReplicas") > count(before, "readyReplicas")
                    || count(status, "availableReplicas") > count(before, "availableReplicas");
        }

        private static long old(JsonNode status) {
            return count(status, "replicas") - count(status, "updatedReplicas");
        }

        private void put(String truth, String reason, String message) {
            Optional<JsonNode> present = StatusConditions.find(status, TYPE);
            boolean same = present.filter(
                            condition -> Json.string(condition, "status").equals(truth) && reason.equals(reason()))
                    .isPresent();
            if (same && !isProgressing()) {
                return;
            }
            String since = present.filter(
                            condition -> Json.string(condition, "status").equals(truth))
                    .map(condition -> Json.string(condition, "lastTransitionTime"))
                    .orElse(now);
            ObjectNode condition = StatusConditions.set(status, TYPE, true, reason, message, now);
            condition.put("status", truth).put("lastUpdateTime", now).put("lastTransitionTime", since);
        }

        /** When the rollout fails unless there is progress before; empty if it has ended. */
        Optional<Instant> deadline() {
            if (reason().equals(AVAILABLE) || reason().equals(TIMED_OUT) || seconds() >= Integer.MAX_VALUE) {
                return Optional.empty();
            }
            return StatusConditions.find(status, TYPE)
                    .filter(condition -> Json.string(condition, "status").equals("True"))
                    .map(condition -> Json.string(condition, "lastUpdateTime"))
                    .filter(time -> !time.isEmpty())
                    .map(time -> Instant.parse(time).plusSeconds(seconds()));
        }
    }

    /**
     * The revisions of deployments, as annotations of their replica sets:
     * {@code pkg/controller/deployment/util/deployment_util.go}, v1.33. Pure.
     */
    private static final class DeploymentRevision {
        static final String ANNOTATION = "deployment.kubernetes.io/revision";
        private static final String HISTORY = "deployment.kubernetes.io/revision-history";
        private static final int HISTORY_LENGTH = 2000;
        private static final Set<String> NOT_COPIED = Set.of(
                "kubectl.kubernetes.io/last-applied-configuration",
                ANNOTATION,
                HISTORY,
                ReplicaSetSize.DESIRED,
                ReplicaSetSize.MAX,
                "deprecated.deployment.rollback.to");

        private DeploymentRevision() {}

        static long highest(List<StoredObject> sets) {
            return sets.stream().mapToLong(set -> of(set.tree())).max().orElse(0);
        }

        static long of(JsonNode set) {
            String revision = text(set);
            return StatusCounts.number(revision).orElse(0);
        }

        static String text(JsonNode object) {
            return Json.string(object, "metadata", "annotations", ANNOTATION);
        }

        /**
         * Gives the newest replica set the annotations of its deployment, and the highest revision, also if its
         * template was used before.
         *
         * @param highest the highest revision of the other sets
         */
        static void renew(ObjectNode set, JsonNode deployment, long highest) {
            ObjectNode annotations = Json.child(Json.child(set, "metadata"), "annotations");
            for (Map.Entry<String, JsonNode> given :
                    deployment.path("metadata").path("annotations").properties()) {
                if (!NOT_COPIED.contains(given.getKey())) {
                    annotations.set(given.getKey(), given.getValue());
                }
            }
            if (of(set) <= highest) {
                remember(annotations);
                annotations.put(ANNOTATION, String.valueOf(highest + 1));
            }
        }

        /** Adds the present revision to those that the set has had; the oldest go when the text gets too long. */
        private static void remember(ObjectNode annotations) {
            String former = Json.string(annotations, ANNOTATION);
            String history = Json.string(annotations, HISTORY);
            String text = history.isEmpty() || former.isEmpty() ? history + former : history + "," + former;
            while (text.length() > HISTORY_LENGTH) {
                text = text.substring(text.indexOf(',') + 1);
            }
            if (!text.isEmpty()) {
                annotations.put(HISTORY, text);
            }
        }
    }

    /**
     * The limits of a rolling update, and its next step: {@code pkg/controller/deployment/rolling.go}, and
     * {@code MaxSurge}, {@code MaxUnavailable} and {@code ResolveFenceposts} in {@code util/deployment_util.go}, v1.33.
     * Pure.
     *
     * @param wanted how many pods the deployment is to have
     * @param maxSurge how many more there may be meanwhile
     * @param maxUnavailable how many of the wanted ones may be missing meanwhile
     */
    record RollingUpdate(long wanted, long maxSurge, long maxUnavailable) {
        private static final Comparator<ReplicaSetSize> NEWER =
                Comparator.comparing(ReplicaSetSize::created).reversed().thenComparing(ReplicaSetSize::name);
        private static final Comparator<ReplicaSetSize> BIGGER =
                Comparator.comparingLong(ReplicaSetSize::replicas).reversed();

        /** The limits of a deployment's spec: surges are rounded up, what is unavailable is rounded down. */
        static RollingUpdate of(JsonNode spec) {
            long wanted = spec.path("replicas").longValue(1);
            if (!isRolling(spec)) {
                return new RollingUpdate(wanted, 0, 0);
            }
            JsonNode limits = spec.path("strategy").path("rollingUpdate");
            long surge = IntOrPercent.roundedUp(limits.path("maxSurge"), wanted);
            long unavailable = IntOrPercent.roundedDown(limits.path("maxUnavailable"), wanted);
            if (surge == 0 && unavailable == 0) {
                unavailable = 1; // without either, nothing would ever move
            }
            return new RollingUpdate(wanted, surge, Math.min(unavailable, wanted));
        }

        static boolean isRolling(JsonNode spec) {
            return !Json.string(spec, "strategy", "type").equals("Recreate");
        }

        long minAvailable() {
            return wanted - maxUnavailable;
        }

        long maxTotal() {
            return wanted + maxSurge;
        }

        /** How many pods the newest replica set may have now. */
        long newestSize(ReplicaSetSize newest, List<ReplicaSetSize> old) {
            if (newest.replicas() >= wanted) {
                return wanted;
            }
            long room = maxTotal() - newest.replicas() - sum(old);
            return newest.replicas() + Math.clamp(room, 0, wanted - newest.replicas());
        }

        /**
         * The next step: sizes, by name, of the replica sets that have to change. The newest one grows first; then the
         * old ones lose pods that are not available, and then others, as far as enough stay available.
         */
        Map<String, Long> next(ReplicaSetSize newest, List<ReplicaSetSize> old) {
            long size = newestSize(newest, old);
            if (size != newest.replicas()) {
                return Map.of(newest.name(), size);
            }
            long unavailableNew = newest.replicas() - newest.available();
            long spare = newest.replicas() + sum(old) - minAvailable() - unavailableNew;
            return spare <= 0 ? Map.of() : shrunk(newest, old, spare);
        }

        private Map<String, Long> shrunk(ReplicaSetSize newest, List<ReplicaSetSize> old, long spare) {
            Map<String, Long> sizes = new LinkedHashMap<>();
            List<ReplicaSetSize> oldestFirst = old.stream()
                    .sorted(Comparator.comparing(ReplicaSetSize::created).thenComparing(ReplicaSetSize::name))
                    .toList();
            long unhealthy = spare;
            for (ReplicaSetSize each : oldestFirst) {
                long cut = Math.min(unhealthy, Math.max(0, each.replicas() - each.available()));
                unhealthy -= cut;
                sizes.put(each.name(), each.replicas() - cut);
            }
            long available = newest.available()
                    + old.stream().mapToLong(ReplicaSetSize::available).sum();
            long healthy = Math.max(0, available - minAvailable());
            for (ReplicaSetSize each : oldestFirst) {
                long size = sizes.getOrDefault(each.name(), 0L);
                long cut = Math.min(healthy, size);
                healthy -= cut;
                sizes.put(each.name(), size - cut);
            }
            old.forEach(each -> sizes.remove(each.name(), each.replicas()));
            return sizes;
        }

        private static long sum(List<ReplicaSetSize> sets) {
            return sets.stream().mapToLong(ReplicaSetSize::replicas).sum();
        }

        /**
         * Divides a change of a deployment's replicas among its replica sets, if it comes in the middle of a rollout or
         * while the deployment is paused: {@code scale} in {@code pkg/controller/deployment/sync.go}, and
         * {@code GetReplicaSetProportion} in {@code util/deployment_util.go}, v1.33. Returns the new sizes by name,
         * also of replica sets that stay as they are.
         */
        static Map<String, Long> proportionalSizes(
                RollingUpdate limits, boolean rolling, Optional<ReplicaSetSize> newest, List<ReplicaSetSize> old) {
            List<ReplicaSetSize> all =
                    Stream.concat(newest.stream(), old.stream()).toList();
            List<ReplicaSetSize> active =
                    all.stream().filter(ReplicaSetSize::isActive).toList();
            if (active.size() <= 1) {
                return active.stream()
                        .findFirst()
                        .or(() -> newest)
                        .or(() -> old.stream().min(NEWER))
                        .map(only -> Map.of(only.name(), limits.wanted()))
                        .orElse(Map.of());
            }
            Map<String, Long> sizes = new LinkedHashMap<>();
            if (newest.filter(set -> isSaturated(set, limits.wanted())).isPresent()) {
                active.forEach(each -> sizes.put(each.name(), 0L));
                sizes.put(newest.get().name(), newest.get().replicas());
            } else if (rolling) {
                divide(limits, active, sizes);
            }
            return sizes;
        }

        /** {@code IsSaturated}: all that is wanted is there and available, and it knew how much is wanted. */
        private static boolean isSaturated(ReplicaSetSize set, long wanted) {
            return set.replicas() == wanted && set.available() == wanted && set.maxBefore() >= wanted;
        }

        private static void divide(RollingUpdate limits, List<ReplicaSetSize> active, Map<String, Long> sizes) {
            long allowed = limits.wanted() > 0 ? limits.maxTotal() : 0;
            long toAdd = allowed
                    - active.stream().mapToLong(ReplicaSetSize::replicas).sum();
            List<ReplicaSetSize> biggestFirst = active.stream()
                    .sorted(BIGGER.thenComparing(toAdd > 0 ? NEWER : NEWER.reversed()))
                    .toList();
            long added = 0;
            for (ReplicaSetSize each : biggestFirst) {
                long left = toAdd - added;
                long fraction = fraction(limits, each);
                long part = toAdd > 0 ? Math.min(fraction, left) : toAdd < 0 ? Math.max(fraction, left) : 0;
                added += part;
                sizes.put(each.name(), each.replicas() + part);
            }
            sizes.merge(biggestFirst.getFirst().name(), toAdd - added, (size, rest) -> Math.max(0, size + rest));
        }

        private static long fraction(RollingUpdate limits, ReplicaSetSize set) {
            if (limits.wanted() == 0) {
                return -set.replicas();
            }
            return set.maxBefore() == 0
                    ? 0
                    : Math.round((double) set.replicas() * limits.maxTotal() / set.maxBefore()) - set.replicas();
        }
    }
}
