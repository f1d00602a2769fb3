package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Refuses what exceeds a quota, and counts what does not: {@code CheckRequest} in
 * {@code pkg/admission/plugin/resourcequota/controller.go} of the apiserver library, v1.33. A quota counts when its
 * status says how much is used, which a controller begins with. Thread-safe.
 */
final class QuotaAccounting {
    private static final List<String> DEMANDED =
            List.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");
    private static final Set<String> WITH_SCOPES = Set.of(Buckets.PODS);
    private final ObjectStore objectStore;

    QuotaAccounting(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    /** Whether there are quotas in any namespace. */
    boolean exist() {
        return objectStore.bucket(Buckets.RESOURCE_QUOTAS).size() > 0;
    }

    /** Counts a new object, or what a changed one uses more than before, if all quotas allow it. */
    void charge(Resource resource, String namespace, @Nullable ObjectNode before, ObjectNode object, boolean dryRun)
            throws BuiltinPlugins.Refused {
        ResourceBucket quotas = objectStore.bucket(Buckets.RESOURCE_QUOTAS);
        if (namespace.isEmpty() || quotas.size() == 0) {
            return;
        }
        List<StoredObject> all = objectStore.list(quotas, namespace).objects();
        if (hasScopes(resource) && before == null) {
            for (StoredObject quota : all) {
                demand(quota.tree(), object);
            }
        }
        if (dryRun || all.size() > 1) {
            for (StoredObject quota : all) {
                charge(quotas, quota, resource, before, object, true);
            }
        }
        if (!dryRun) {
            for (StoredObject quota : all) {
                charge(quotas, quota, resource, before, object, false);
            }
        }
    }

    private void charge(
            ResourceBucket quotas,
            StoredObject quota,
            Resource resource,
            @Nullable ObjectNode before,
            ObjectNode object,
            boolean dryRun)
            throws BuiltinPlugins.Refused {
        StoredObject current = quota;
        while (current != null) { // each turn but the last means that another write has been counted
            ObjectNode tree = current.tree();
            boolean counts = QuotaScopes.match(tree.path("spec"), hasScopes(resource), object);
            Map<String, BigDecimal> wanted = counts ? more(resource, before, object) : Map.of();
            wanted.keySet().retainAll(names(tree));
            wanted.values().removeIf(amount -> amount.signum() <= 0);
            if (wanted.isEmpty()) {
                return;
            }
            add(tree, wanted);
            if (dryRun || objectStore.replace(quotas, current, StoredObject.of(tree)) != null) {
                return;
            }
            current = quotas.get(quota.namespace(), quota.name());
        }
    }

    private static boolean hasScopes(Resource resource) {
        String bucket = resource.bucket();
        return WITH_SCOPES.stream().anyMatch(bucket::equals);
    }

    private static List<String> names(JsonNode quota) {
        return List.copyOf(quota.path("status").path("hard").propertyNames());
    }

    private static Map<String, BigDecimal> more(Resource resource, @Nullable ObjectNode before, ObjectNode object) {
        Map<String, BigDecimal> usage = new HashMap<>(QuotaUsage.of(resource.qualified(), resource.bucket(), object));
        if (before != null) {
            QuotaUsage.of(resource.qualified(), resource.bucket(), before)
                    .forEach((name, amount) -> usage.merge(name, amount.negate(), BigDecimal::add));
        }
        return usage;
    }

    /** A quota of cpu or memory demands that each container says how much it needs. */
    private static void demand(JsonNode quota, ObjectNode pod) throws BuiltinPlugins.Refused {
        if (!QuotaScopes.match(quota.path("spec"), true, pod)) {
            return;
        }
        Map<String, List<String>> missing = new TreeMap<>();
        for (String name : names(quota)) {
            if (DEMANDED.contains(name)) {
                String list = name.startsWith("limits.") ? "limits" : "requests";
                String resource = name.substring(name.indexOf('.') + 1);
                List<String> without = Stream.of("containers", "initContainers")
                        .flatMap(field -> Json.items(pod, "spec", field))
                        .filter(container -> Json.string(container, "resources", list, resource)
                                .isEmpty())
                        .map(container -> Json.string(container, "name"))
                        .sorted()
                        .toList();
                if (!without.isEmpty()) {
                    missing.put(name, without);
                }
            }
        }
        if (!missing.isEmpty()) {
            String shown = missing.entrySet().stream()
                    .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                    .collect(Collectors.joining("; "));
            throw new BuiltinPlugins.Refused(
                    "failed quota: " + Json.string(quota, "metadata", "name") + ": must specify " + shown);
        }
    }

    private static void add(ObjectNode quota, Map<String, BigDecimal> wanted) throws BuiltinPlugins.Refused {
        ObjectNode status = Json.child(quota, "status");
        ObjectNode used = Json.child(status, "used");
        Map<String, BigDecimal> exceeded = new TreeMap<>();
        Map<String, BigDecimal> after = new TreeMap<>();
        for (Map.Entry<String, BigDecimal> each : new TreeMap<>(wanted).entrySet()) {
            String name = each.getKey();
            BigDecimal sum = amount(used, name).add(each.getValue());
            after.put(name, sum);
            if (sum.compareTo(amount(status.path("hard"), name)) > 0) {
                exceeded.put(name, each.getValue());
            }
        }
        if (!exceeded.isEmpty()) {
            JsonNode hard = status.path("hard");
            throw new BuiltinPlugins.Refused("exceeded quota: " + Json.string(quota, "metadata", "name")
                    + ", requested: " + shown(exceeded, hard)
                    + ", used: " + listed(used, exceeded) + ", limited: " + listed(hard, exceeded));
        }
        after.forEach((name, amount) ->
                used.put(name, QuotaUsage.text(amount, Json.string(status.path("hard"), name))));
    }

    private static BigDecimal amount(JsonNode amounts, String name) {
        String text = Json.string(amounts, name);
        return text.isEmpty() ? BigDecimal.ZERO : Quantity.value(text);
    }

    /** Amounts in the formats of their limits. */
    private static String shown(Map<String, BigDecimal> amounts, JsonNode limits) {
        return amounts.entrySet().stream()
                .map(each -> each.getKey() + "=" + QuotaUsage.text(each.getValue(), Json.string(limits, each.getKey())))
                .collect(Collectors.joining(","));
    }

    private static String listed(JsonNode amounts, Map<String, BigDecimal> names) {
        return names.keySet().stream()
                .map(name -> name + "=" + Quantity.canonical(amounts.path(name).asString("0")))
                .collect(Collectors.joining(","));
    }
}
