package dev.kopf4j.benchmarks;

import java.util.Arrays;
import java.util.Map;

/**
 * From the creates' answers to the observed patches, in milliseconds.
 *
 * @param p50 of the half
 * @param p99 of all but one in a hundred
 */
record PatchLatency(double p50, double p99) {
    static PatchLatency between(Map<String, Long> createdAt, Map<String, Long> doneAt) {
        long[] nanos = doneAt.entrySet().stream()
                .filter(done -> createdAt.containsKey(done.getKey()))
                // The watch may be quicker than the answer: nobody has waited then.
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
