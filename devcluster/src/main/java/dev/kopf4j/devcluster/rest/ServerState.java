package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.Tasks;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resources;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/** What all verbs share. Thread-safe. */
public record ServerState(
        Store store,
        Resources resources,
        InstantSource clock,
        Tasks tasks,
        RandomGenerator random,
        RecentTrees recentTrees) {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    /** The bucket of a resource. */
    public Bucket bucket(Resource resource) {
        return store.bucket(resource.bucket());
    }

    /** The time as metadata has it: whole seconds. */
    public String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The exact time. */
    public Instant instant() {
        return clock.instant();
    }

    /** A new random uid. */
    public String uid() {
        synchronized (random) {
            long high = (random.nextLong() & ~0xf000L) | 0x4000L;
            long low = (random.nextLong() >>> 2) | 0x8000000000000000L;
            return new java.util.UUID(high, low).toString();
        }
    }

    /** A random number from 0. */
    public int randomBelow(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    /** The end of a generated name. */
    public String suffix() {
        StringBuilder suffix = new StringBuilder(5);
        synchronized (random) {
            for (int count = 0; count < 5; count++) {
                suffix.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
            }
        }
        return suffix.toString();
    }
}
