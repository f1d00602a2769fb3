package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.conversion.ConvertedObjectCache;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.StrategyRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/** What all verbs share. Thread-safe. */
public record ServerContext(
        ObjectStore objectStore,
        ServedResources servedResources,
        StrategyRegistry strategyRegistry,
        InstantSource clock,
        TaskScheduler taskScheduler,
        RandomGenerator random,
        ConvertedObjectCache convertedObjectCache) {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    /** The strategy of a resource. */
    public ResourceStrategy strategy(Resource resource) {
        return strategyRegistry.of(resource);
    }

    /** How the objects of a bucket are deleted. */
    DeletionStrategy deletion(ResourceBucket bucket) {
        return servedResources.stored().stream()
                .filter(resource -> resource.bucket().equals(bucket.id()))
                .findFirst()
                .map(resource -> strategy(resource).deletion())
                .orElse(DeletionStrategy.USUAL);
    }

    /** The bucket of a resource. */
    public ResourceBucket bucket(Resource resource) {
        return objectStore.bucket(resource.bucket());
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
    public String nameSuffix() {
        StringBuilder suffix = new StringBuilder(5);
        synchronized (random) {
            for (int count = 0; count < 5; count++) {
                suffix.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
            }
        }
        return suffix.toString();
    }
}
