package dev.kopf4j.devcluster.registry;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Random names and uids. Names are made as {@code pkg/storage/names/generate.go} of the apiserver library does, with
 * the letters of {@code pkg/util/rand/rand.go} of apimachinery, v1.33. Thread-safe.
 */
public final class NameGenerator {
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_BASE = 63 - SUFFIX_LENGTH;
    private final RandomGenerator random;

    /** Creates a generator with this source of randomness. */
    public NameGenerator(RandomGenerator random) {
        this.random = random;
    }

    /** A name that begins with a base ({@code metadata.generateName}). */
    public String name(String base) {
        StringBuilder name = new StringBuilder(base.substring(0, Math.min(base.length(), MAX_BASE)));
        synchronized (random) {
            for (int count = 0; count < SUFFIX_LENGTH; count++) {
                name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        }
        return name.toString();
    }

    /** A random UUID (version 4). */
    public String uid() {
        synchronized (random) {
            long high = (random.nextLong() & ~0xf000L) | 0x4000L;
            long low = (random.nextLong() >>> 2) | 0x8000000000000000L;
            return new UUID(high, low).toString();
        }
    }

    /** A random number from 0, below a bound. */
    public int below(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }
}
