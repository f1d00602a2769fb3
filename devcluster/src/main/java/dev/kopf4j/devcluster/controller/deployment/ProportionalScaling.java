package dev.kopf4j.devcluster.controller.deployment;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Divides a change of a deployment's replicas among its replica sets, if it comes in the middle of a rollout or while
 * the deployment is paused: {@code scale} in {@code pkg/controller/deployment/sync.go}, and
 * {@code GetReplicaSetProportion} in {@code util/deployment_util.go}, v1.33. Pure.
 */
final class ProportionalScaling {
    private static final Comparator<ReplicaSetSize> NEWER =
            Comparator.comparing(ReplicaSetSize::created).reversed().thenComparing(ReplicaSetSize::name);
    private static final Comparator<ReplicaSetSize> BIGGER =
            Comparator.comparingLong(ReplicaSetSize::replicas).reversed();

    private ProportionalScaling() {}

    /** The new sizes by name, also of replica sets that stay as they are. */
    static Map<String, Long> sizes(
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
