package dev.kopf4j.devcluster.controller.quota;

import dev.kopf4j.devcluster.admission.plugin.QuotaScopes;
import dev.kopf4j.devcluster.admission.plugin.QuotaUsage;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes what is used of quotas when they are made or changed, and when an object comes, goes or changes in their
 * namespace: {@code pkg/controller/resourcequota/resource_quota_controller.go}, v1.33. What comes was counted by
 * admission before; a quota's own status is no reason to count, as a request may be between counting and storing.
 */
public final class ResourceQuotaController {
    private final ServerContext state;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /** A controller over a store; {@link #start} lets it work. */
    public ResourceQuotaController(ServerContext state) {
        this.state = state;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.objectStore().list(quotas(), "").objects().forEach(quota -> schedule(quota.namespace()));
    }

    private ResourceBucket quotas() {
        return state.objectStore().bucket(Buckets.RESOURCE_QUOTAS);
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        String namespace = change.object().namespace();
        if (namespace.isEmpty()) {
            return;
        }
        if (bucket.id().equals(Buckets.RESOURCE_QUOTAS)) {
            StoredObject after = change.after();
            if (after != null && change.before() != null && isComputed(after.tree())) {
                return;
            }
            schedule(namespace);
        } else if (quotas().size() > 0) {
            schedule(namespace);
        }
    }

    private static boolean isComputed(ObjectNode quota) {
        ObjectNode status = Json.child(quota, "status");
        return status.has("used") && JsonEquality.same(quota.path("spec").path("hard"), status.path("hard"));
    }

    private void schedule(String namespace) {
        if (waiting.add(namespace)) {
            state.taskScheduler().run(() -> {
                waiting.remove(namespace);
                state.objectStore().list(quotas(), namespace).objects().forEach(this::sync);
            });
        }
    }

    private void sync(StoredObject quota) {
        ObjectNode tree = quota.tree();
        ObjectNode before = tree.deepCopy();
        QuotaSum sum = new QuotaSum(tree.path("spec"));
        for (Resource resource : state.servedResources().stored()) {
            if (resource.namespaced() && sum.concerns(resource.qualified(), resource.bucket())) {
                state.objectStore()
                        .list(state.bucket(resource), quota.namespace())
                        .objects()
                        .forEach(object -> sum.add(resource.qualified(), resource.bucket(), object.tree()));
            }
        }
        sum.set(Json.child(tree, "status"));
        if (!JsonEquality.same(before, tree)
                && state.objectStore().replace(quotas(), quota, quota.changedTo(tree)) == null) {
            schedule(quota.namespace());
        }
    }

    /**
     * Sums up what is used of a quota: {@code CalculateUsage} in {@code pkg/quota/v1/resources.go} of the apiserver
     * library, and {@code syncResourceQuota} in {@code pkg/controller/resourcequota/resource_quota_controller.go},
     * v1.33. Confined to one task.
     */
    private static final class QuotaSum {
        private final JsonNode spec;
        private final Map<String, BigDecimal> used = new TreeMap<>();

        QuotaSum(JsonNode spec) {
            this.spec = spec;
            spec.path("hard").propertyNames().forEach(name -> used.put(name, BigDecimal.ZERO));
        }

        /** Whether objects of a resource can count at all. */
        boolean concerns(String qualified, String bucket) {
            return used.keySet().stream().anyMatch(name -> QuotaUsage.mayCount(name, qualified, bucket));
        }

        /** Adds what an object uses. */
        void add(String qualified, String bucket, JsonNode object) {
            if (QuotaScopes.match(spec, bucket.equals(Buckets.PODS), object)) {
                QuotaUsage.of(qualified, bucket, object)
                        .forEach((name, amount) -> used.computeIfPresent(name, (key, sum) -> sum.add(amount)));
            }
        }

        /** Writes the sums and the limits into the status. */
        void set(ObjectNode status) {
            status.set("hard", spec.path("hard").deepCopy());
            ObjectNode shown = status.putObject("used");
            used.forEach((name, amount) ->
                    shown.put(name, QuotaUsage.text(amount, Json.string(spec.path("hard"), name))));
        }
    }
}
