package dev.kopf4j.benchmarks;

import java.util.Arrays;
import java.util.Map;

/**
 * The time from the response of a create to the observed patch, in milliseconds.
 *
 * @param p50 the median
 * @param p99 the 99th percentile
 */
record PatchLatency(double p50, double p99) {
    static PatchLatency between(Map<String, Long> createdAt, Map<String, Long> doneAt) {
        long[] nanos = doneAt.entrySet().stream()
                .filter(done -> createdAt.containsKey(done.getKey()))
                // the watch may be quicker than the response: then the latency is zero
                .mapToLong(done -> Math.max(0, done.getValue() - createdAt.getOrDefault(done.getKey(), 0L)))
                .toArray();
        Arrays.sort(nanos);
        return new PatchLatency(at(nanos, 0.50), at(nanos, 0.99));
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0
                ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1, (long) (sorted.length * share))] / 1e6;
    }
}
