package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.json.Json;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

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
     * The next step: sizes, by name, of the replica sets that have to change. The newest one grows first; then the old
     * ones lose pods that are not available, and then others, as far as enough stay available.
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
}
