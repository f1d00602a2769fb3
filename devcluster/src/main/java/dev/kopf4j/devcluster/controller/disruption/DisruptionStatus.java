package dev.kopf4j.devcluster.controller.disruption;

import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of disruption budgets: {@code getExpectedPodCount}, {@code countHealthyPods} and {@code updatePdbStatus}
 * in {@code pkg/controller/disruption/disruption.go}, v1.33. Confined to one task.
 */
final class DisruptionStatus {
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
            Instant end = Instant.parse(Json.string(disrupted, name)).plus(DELETION_TIMEOUT);
            if (!present.contains(name) || end.isBefore(now)) {
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
