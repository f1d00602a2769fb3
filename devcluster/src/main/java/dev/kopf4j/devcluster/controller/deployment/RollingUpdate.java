package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.json.Json;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

    /**
     * Divides a change of a deployment's replicas among its replica sets, if it comes in the middle of a rollout or
     * while the deployment is paused: {@code scale} in {@code pkg/controller/deployment/sync.go}, and
     * {@code GetReplicaSetProportion} in {@code util/deployment_util.go}, v1.33. Returns the new sizes by name, also of
     * replica sets that stay as they are.
     */
    static Map<String, Long> proportionalSizes(
            RollingUpdate limits, boolean rolling, Optional<ReplicaSetSize> newest, List<ReplicaSetSize> old) {
        List<ReplicaSetSize> all = Stream.concat(newest.stream(), old.stream()).toList();
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
        long toAdd =
                allowed - active.stream().mapToLong(ReplicaSetSize::replicas).sum();
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
