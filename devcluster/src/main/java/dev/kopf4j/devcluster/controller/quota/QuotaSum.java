package dev.kopf4j.devcluster.controller.quota;

import dev.kopf4j.devcluster.admission.plugin.QuotaScopes;
import dev.kopf4j.devcluster.admission.plugin.QuotaUsage;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sums up what is used of a quota: {@code CalculateUsage} in {@code pkg/quota/v1/resources.go} of the apiserver
 * library, and {@code syncResourceQuota} in {@code pkg/controller/resourcequota/resource_quota_controller.go}, v1.33.
 * Confined to one task.
 */
final class QuotaSum {
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
        used.forEach((name, amount) -> shown.put(name, QuotaUsage.text(amount, Json.string(spec.path("hard"), name))));
    }
}
