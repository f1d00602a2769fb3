package dev.kopf4j.devcluster.controller.disruption;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes what disruption budgets allow: {@code trySync} and {@code finders} in
 * {@code pkg/controller/disruption/disruption.go}, v1.33. The pods of daemon sets and jobs have no scale.
 */
public final class DisruptionController implements WorkloadController {
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public DisruptionController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode budget = object.tree();
        List<JsonNode> pods = pods(object.namespace(), budget.path("spec"));
        DisruptionStatus status = new DisruptionStatus(budget, actions.instant());
        OptionalLong scale = status.needsScale() ? scale(object.namespace(), pods) : OptionalLong.empty();
        status.set(pods, scale, actions.now());
        actions.replace(WorkloadKind.POD_DISRUPTION_BUDGET, object, budget);
        status.nextEnd()
                .ifPresent(end -> actions.syncAt(WorkloadKind.POD_DISRUPTION_BUDGET, object, end.plusMillis(1)));
    }

    private List<JsonNode> pods(String namespace, JsonNode spec) {
        if (!spec.has("selector")) {
            return List.of();
        }
        LabelSelector selector = LabelSelector.of(spec.path("selector"));
        return actions.in(WorkloadKind.POD, namespace).stream()
                .<JsonNode>map(StoredObject::tree)
                .filter(pod -> selector.matches(pod.path("metadata").path("labels")))
                .toList();
    }

    /** How many pods the controllers of some pods want together. Pods without a controller do not count. */
    private OptionalLong scale(String namespace, List<JsonNode> pods) {
        Map<String, Long> scales = new HashMap<>();
        for (JsonNode pod : pods) {
            Optional<JsonNode> reference = ControllerActions.controllerOf(pod);
            if (reference.isPresent()) {
                Optional<Scale> scale = scaleOf(namespace, reference.get());
                if (scale.isEmpty()) {
                    return OptionalLong.empty();
                }
                scales.put(scale.get().uid(), scale.get().replicas());
            }
        }
        return OptionalLong.of(
                scales.values().stream().mapToLong(Long::longValue).sum());
    }

    private record Scale(String uid, long replicas) {}

    private Optional<Scale> scaleOf(String namespace, JsonNode reference) {
        Optional<WorkloadKind> kind =
                WorkloadKind.of(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
        Optional<StoredObject> found = kind.filter(WorkloadKind::isScalable)
                .flatMap(each -> actions.find(each, namespace, Json.string(reference, "name")))
                .filter(object -> object.uid().equals(Json.string(reference, "uid")));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        JsonNode tree = found.get().tree();
        return ControllerActions.controllerOf(tree)
                .flatMap(owner -> scaleOf(namespace, owner))
                .or(() -> Optional.of(new Scale(
                        found.get().uid(), tree.path("spec").path("replicas").longValue(1))));
    }

    /**
     * The status of disruption budgets: {@code getExpectedPodCount}, {@code countHealthyPods} and
     * {@code updatePdbStatus} in {@code pkg/controller/disruption/disruption.go}, v1.33. Confined to one task.
     */
    static final class DisruptionStatus {
        /** How long an eviction may take until its pod counts again. */
        private static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

        private final ObjectNode budget;
        private final ObjectNode status;
        private final Instant now;

        DisruptionStatus(ObjectNode budget, Instant now) {
            this.budget = budget;
            this.status = Json.child(budget, "status");
            this.now = now;
        }

        /** Whether the pods that should be there count, and not only those that are. */
        boolean needsScale() {
            JsonNode spec = budget.path("spec");
            return spec.has("maxUnavailable") || spec.path("minAvailable").isString();
        }

        /**
         * Sets the status.
         *
         * @param pods those that the selector matches
         * @param scale how many pods their controllers want together; empty if one of them has no scale
         */
        void set(List<JsonNode> pods, OptionalLong scale, String time) {
            if (needsScale() && scale.isEmpty()) {
                fail(pods, time);
                return;
            }
            JsonNode spec = budget.path("spec");
            long expected = needsScale() ? scale.getAsLong() : pods.size();
            long desired = spec.has("maxUnavailable")
                    ? Math.max(0, expected - IntOrPercent.roundedUp(spec.path("maxUnavailable"), expected))
                    : IntOrPercent.roundedUp(spec.path("minAvailable"), expected);
            keepDisrupted(pods);
            long healthy = healthy(pods);
            long allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
            status.put("currentHealthy", healthy)
                    .put("desiredHealthy", desired)
                    .put("disruptionsAllowed", allowed)
                    .put("expectedPods", expected)
                    .put("observedGeneration", generation());
            condition(allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "", time);
        }

        private long generation() {
            return budget.path("metadata").path("generation").longValue(1);
        }

        private void fail(List<JsonNode> pods, String time) {
            for (String count : List.of("currentHealthy", "desiredHealthy", "expectedPods")) {
                status.put(count, status.path(count).longValue(0));
            }
            status.put("disruptionsAllowed", 0);
            String first = pods.isEmpty() ? "" : Json.string(pods.getFirst(), "metadata", "name");
            condition(false, "SyncFailed", "found no controllers for pod \"" + first + "\"", time);
        }

        private void condition(boolean allowed, String reason, String message, String time) {
            StatusConditions.set(status, "DisruptionAllowed", allowed, reason, message, time)
                    .put("observedGeneration", status.path("observedGeneration").longValue(0))
                    .put("message", message);
        }

        /** When the next eviction is forgotten unless its pod is deleted: {@code enqueuePdbForRecheck}. */
        Optional<Instant> nextEnd() {
            JsonNode disrupted = status.path("disruptedPods");
            return disrupted.propertyNames().stream()
                    .map(name -> end(disrupted, name))
                    .min(Comparator.naturalOrder());
        }

        private static Instant end(JsonNode disrupted, String name) {
            return Instant.parse(Json.string(disrupted, name)).plus(DELETION_TIMEOUT);
        }

        /** Forgets evictions whose pods are gone, or were not deleted in time. */
        private void keepDisrupted(List<JsonNode> pods) {
            if (!(status.get("disruptedPods") instanceof ObjectNode disrupted)) {
                return;
            }
            Set<String> present = new HashSet<>();
            pods.stream()
                    .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
                    .forEach(pod -> present.add(Json.string(pod, "metadata", "name")));
            for (String name : List.copyOf(disrupted.propertyNames())) {
                if (!present.contains(name) || end(disrupted, name).isBefore(now)) {
                    disrupted.remove(name);
                }
            }
            if (disrupted.isEmpty()) {
                status.remove("disruptedPods");
            }
        }

        private long healthy(List<JsonNode> pods) {
            return pods.stream()
                    .filter(pod -> !pod.path("metadata").has("deletionTimestamp")
                            && !status.path("disruptedPods").has(Json.string(pod, "metadata", "name"))
                            && PodTemplate.isReady(pod))
                    .count();
        }
    }
}
