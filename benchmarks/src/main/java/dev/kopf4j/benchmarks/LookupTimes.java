package dev.kopf4j.benchmarks;

import dev.kopf4j.Index;
import dev.kopf4j.benchmarks.IndexTrial.Place;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;

/**
 * The time of a look-up of any key, in nanoseconds.
 *
 * @param index in an index
 * @param map in a {@link HashMap}
 */
record LookupTimes(double index, double map) {
    private static final int LOOKUPS = 2_000_000;

    /** Measures the index and a plain map in turns. */
    static LookupTimes of(Index<Place, String> index, Platform platform) {
        List<Place> keys = new ArrayList<>(index.keySet());
        Map<Place, List<String>> plain = new HashMap<>();
        keys.forEach(key -> plain.put(key, List.of("running")));
        nanos(platform, keys, key -> index.store(key).size());
        nanos(platform, keys, key -> plain.getOrDefault(key, List.of()).size());
        return new LookupTimes(
                nanos(platform, keys, key -> index.store(key).size()),
                nanos(platform, keys, key -> plain.getOrDefault(key, List.of()).size()));
    }

    private static double nanos(Platform platform, List<Place> keys, ToIntFunction<Place> lookup) {
        Random random = new Random(1);
        int found = 0;
        long start = platform.nanos();
        for (int i = 0; i < LOOKUPS; i++) {
            found += lookup.applyAsInt(keys.get(random.nextInt(keys.size())));
        }
        if (found != LOOKUPS) {
            throw new IllegalStateException("found " + found + " values instead of one each");
        }
        return (platform.nanos() - start) / (double) LOOKUPS;
    }
}
