package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code pods/resize} may change: {@code ValidatePodResize} in {@code pkg/apis/core/validation/validation.go},
 * v1.33. Pure.
 */
public final class PodResizeValidation {
    private static final String ONLY = "only cpu and memory resources are mutable";

    private PodResizeValidation() {}

    /** Reports what is wrong with the next state of a pod. */
    public static void check(JsonNode pod, JsonNode before, FieldChecks checks) {
        JsonNode spec = pod.path("spec");
        String former = Json.string(before, "status", "qosClass");
        if (!PodQosClass.of(spec).equals(former)) {
            checks.problem("Pod QOS Class may not change as a result of resizing", "spec", former);
        }
        for (String list : List.of("containers", "initContainers")) {
            if (!names(spec, list).equals(names(before.path("spec"), list))) {
                boolean same =
                        spec.path(list).size() == before.path("spec").path(list).size();
                String rule = same ? "renamed or reordered on resize" : "added or removed on resize";
                checks.add(FieldError.forbidden("spec." + list, list + " may not be " + rule));
                return;
            }
        }
        containers(spec.path("containers"), before.path("spec").path("containers"), "spec.containers", checks);
        JsonNode initial = before.path("spec").path("initContainers");
        containers(spec.path("initContainers"), initial, "spec.initContainers", checks);
    }

    private static List<String> names(JsonNode spec, String list) {
        return Json.items(spec, list)
                .map(container -> Json.string(container, "name"))
                .toList();
    }

    private static void containers(JsonNode now, JsonNode before, String path, FieldChecks checks) {
        boolean initial = path.equals("spec.initContainers");
        for (int index = 0; index < now.size(); index++) {
            JsonNode container = now.get(index);
            JsonNode former = before.get(index);
            boolean sidecar = Json.string(container, "restartPolicy").equals("Always");
            if (initial && !sidecar) {
                if (!JsonEquality.same(container, former)) {
                    checks.add(FieldError.forbidden("spec", "resources for non-sidecar init containers are immutable"));
                }
                continue;
            }
            resources(container, former, path + "[" + index + "].resources", checks);
            if (!JsonEquality.same(withoutAmounts(container), withoutAmounts(former))) {
                String rule = initial ? "only cpu and memory resources for sidecar containers are mutable" : ONLY;
                checks.add(FieldError.forbidden("spec", rule));
            }
        }
    }

    private static ObjectNode withoutAmounts(JsonNode container) {
        ObjectNode rest = ((ObjectNode) container).deepCopy();
        for (String list : List.of("requests", "limits")) {
            if (rest.path("resources").get(list) instanceof ObjectNode amounts) {
                amounts.remove(List.of("cpu", "memory"));
                if (amounts.isEmpty()) {
                    ((ObjectNode) rest.path("resources")).remove(list);
                }
            }
        }
        return rest;
    }

    private static void resources(JsonNode container, JsonNode before, String path, FieldChecks checks) {
        JsonNode now = container.path("resources");
        JsonNode former = before.path("resources");
        for (String list : List.of("requests", "limits")) {
            boolean removed = former.path(list)
                    .propertyStream()
                    .anyMatch(amount -> !now.path(list).has(amount.getKey()));
            if (removed) {
                checks.add(FieldError.forbidden(path + "." + list, "resource " + list + " cannot be removed"));
            }
        }
        String limit = Json.string(now, "limits", "memory");
        boolean restarts = Stream.of(container.path("resizePolicy"))
                .flatMap(JsonNode::valueStream)
                .anyMatch(policy -> Json.string(policy, "resourceName").equals("memory")
                        && Json.string(policy, "restartPolicy").equals("RestartContainer"));
        if (!restarts && !limit.isEmpty()) {
            memory(limit, Json.string(former, "limits", "memory"), path + ".limits[memory]", checks);
        }
    }

    private static void memory(String limit, String before, String path, FieldChecks checks) {
        String unless = " unless resizePolicy is RestartContainer";
        if (before.isEmpty()) {
            checks.add(FieldError.forbidden(path, "memory limits cannot be added" + unless));
        } else if (Quantity.value(limit).compareTo(Quantity.value(before)) < 0) {
            checks.add(FieldError.forbidden(path, "memory limits cannot be decreased" + unless));
        }
    }
}
