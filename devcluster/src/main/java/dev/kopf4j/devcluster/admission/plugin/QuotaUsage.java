package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/**
 * What an object uses of a quota, by the names of quotas: {@code pkg/quota/v1/evaluator/core} of Kubernetes and
 * {@code pkg/quota/v1/generic} of the apiserver library, v1.33. Pure.
 */
public final class QuotaUsage {
    private static final List<String> COUNTED = List.of(
            "configmaps", "secrets", "services", "persistentvolumeclaims", "replicationcontrollers", "resourcequotas");
    private static final List<String> COMPUTED = List.of("cpu", "memory", "ephemeral-storage");

    private static final Map<String, BiConsumer<JsonNode, Map<String, BigDecimal>>> BY_BUCKET = Map.of(
            Buckets.PODS,
            QuotaUsage::pod,
            Buckets.PERSISTENT_VOLUME_CLAIMS,
            (claim, usage) -> claim(claim.path("spec"), usage),
            "services",
            (service, usage) -> service(service.path("spec"), usage));

    private QuotaUsage() {}

    /**
     * What an object uses.
     *
     * @param qualified the name of its resource, with the group
     */
    public static Map<String, BigDecimal> of(String qualified, String bucket, JsonNode object) {
        Map<String, BigDecimal> usage = new HashMap<>();
        usage.put("count/" + qualified, BigDecimal.ONE);
        if (COUNTED.contains(qualified)) {
            usage.put(qualified, BigDecimal.ONE);
        }
        BY_BUCKET.getOrDefault(bucket, (nothing, own) -> {}).accept(object, usage);
        return usage;
    }

    /** Whether objects of a resource can count for a name of a quota. */
    public static boolean mayCount(String name, String qualified, String bucket) {
        if (name.startsWith("count/") || COUNTED.contains(name)) {
            return name.equals("count/" + qualified) || name.equals(qualified);
        }
        return switch (bucket) {
            case Buckets.PERSISTENT_VOLUME_CLAIMS -> name.contains("storage");
            case "services" -> name.startsWith("services.");
            case Buckets.PODS -> !name.startsWith("services.") && !name.contains(".storageclass.");
            default -> false;
        };
    }

    /** An amount in the format of a limit: by powers of 1024, or of 1000. */
    public static String text(BigDecimal amount, String limit) {
        return new Amounts.Amount(amount, limit.endsWith("i")).toString();
    }

    /** Pods that have ended use nothing but their place in the store. */
    private static void pod(JsonNode pod, Map<String, BigDecimal> usage) {
        String phase = Json.string(pod, "status", "phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return;
        }
        usage.put("pods", BigDecimal.ONE);
        JsonNode spec = pod.path("spec");
        Amounts.ofPod(spec, "requests").values().forEach((resource, needed) -> {
            BigDecimal amount = needed.value();
            boolean computed = COMPUTED.contains(resource);
            usage.merge("requests." + resource, amount, BigDecimal::add);
            if (computed) {
                usage.merge(resource, amount, BigDecimal::add);
            }
        });
        Amounts.ofPod(spec, "limits").values().forEach((resource, needed) -> {
            if (COMPUTED.contains(resource)) {
                usage.merge("limits." + resource, needed.value(), BigDecimal::add);
            }
        });
    }

    private static void claim(JsonNode spec, Map<String, BigDecimal> usage) {
        String storage = Json.string(spec, "resources", "requests", "storage");
        String name = Json.string(spec, "storageClassName");
        String suffix = ".storageclass.storage.k8s.io/";
        if (!name.isEmpty()) {
            usage.put(name + suffix + "persistentvolumeclaims", BigDecimal.ONE);
        }
        if (!storage.isEmpty()) {
            usage.put("requests.storage", Quantity.value(storage));
            if (!name.isEmpty()) {
                usage.put(name + suffix + "requests.storage", Quantity.value(storage));
            }
        }
    }

    private static void service(JsonNode spec, Map<String, BigDecimal> usage) {
        String type = Json.string(spec, "type");
        BigDecimal ports = BigDecimal.valueOf(spec.path("ports").size());
        if (type.equals("LoadBalancer")) {
            usage.put("services.loadbalancers", BigDecimal.ONE);
            long allocated = Json.items(spec, "ports")
                    .filter(port -> port.has("nodePort"))
                    .count();
            boolean all = spec.path("allocateLoadBalancerNodePorts").booleanValue(true);
            usage.put("services.nodeports", all ? ports : BigDecimal.valueOf(allocated));
        } else if (type.equals("NodePort")) {
            usage.put("services.nodeports", ports);
        }
    }
}
