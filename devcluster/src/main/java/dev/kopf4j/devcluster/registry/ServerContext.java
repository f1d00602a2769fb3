package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.StrategyRegistry;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** What all verbs and controllers share: store, resources, strategies, clock, tasks. Thread-safe. */
public record ServerContext(
        ObjectStore objectStore,
        ServedResources servedResources,
        StrategyRegistry strategyRegistry,
        InstantSource clock,
        TaskScheduler taskScheduler,
        NameGenerator nameGenerator,
        WebhookClientManager webhookClientManager) {
    /** The bucket of a resource. */
    public ResourceBucket bucket(Resource resource) {
        return objectStore.bucket(resource.bucket());
    }

    /** The strategy of a resource. */
    public ResourceStrategy strategy(Resource resource) {
        return strategyRegistry.of(resource);
    }

    /** How the objects of a bucket are deleted. */
    DeletionStrategy deletion(ResourceBucket bucket) {
        return servedResources
                .findBucket(bucket.id())
                .map(resource -> strategy(resource).deletion())
                .orElse(DeletionStrategy.USUAL);
    }

    /** Tells a listener of the objects that are in a bucket, and of each that is written there from now on. */
    public void follow(String bucket, Consumer<StoredObject> listener) {
        objectStore.observe((where, change) -> {
            StoredObject after = change.after();
            if (after != null && where.id().equals(bucket)) {
                listener.accept(after);
            }
        });
        objectStore.list(objectStore.bucket(bucket), "").objects().forEach(listener);
    }

    /** The time as metadata has it: whole seconds. */
    public String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The exact time. */
    public Instant instant() {
        return clock.instant();
    }
}
