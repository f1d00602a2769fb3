package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * When pods count as available: they must have been ready for a while ({@code minReadySeconds}); {@code IsPodAvailable}
 * in {@code pkg/api/v1/pod/util.go}, v1.33. Pure.
 *
 * @param seconds how long they must have been ready
 */
public record PodAvailability(long seconds, Instant now) {
    /** The rule of a workload's spec. */
    public static PodAvailability of(JsonNode spec, Instant now) {
        return new PodAvailability(spec.path("minReadySeconds").longValue(0), now);
    }

    /** Whether a pod is available. */
    public boolean isAvailable(JsonNode pod) {
        return PodTemplate.isReady(pod) && (seconds == 0 || !availableAt(pod).isAfter(now));
    }

    private Instant availableAt(JsonNode pod) {
        String since = StatusConditions.find(pod.path("status"), "Ready")
                .map(condition -> Json.string(condition, "lastTransitionTime"))
                .orElse("");
        try {
            return Instant.parse(since).plusSeconds(seconds);
        } catch (DateTimeException e) {
            return Instant.MAX; // ready since an unknown time: as the real function, not available
        }
    }

    /** When the next of some pods becomes available if it stays ready; empty if none will. */
    public Optional<Instant> next(Collection<? extends JsonNode> pods) {
        return pods.stream()
                .filter(pod -> PodTemplate.isReady(pod) && !isAvailable(pod))
                .map(this::availableAt)
                .filter(time -> !time.equals(Instant.MAX))
                .min(Instant::compareTo);
    }
}
