package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Warnings about one pod spec: {@code warningsForPodSpecAndMeta} in {@code pkg/api/pod/warnings.go}, v1.33. Confined to
 * one check.
 */
final class PodSpecWarnings {
    /** {@code deprecatedNodeLabels} in {@code pkg/api/node/util.go}. */
    private static final Map<String, String> DEPRECATED_LABELS = Map.of(
            "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
                    "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
                    "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
                    "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
            "app.kubernetes.io/created-by", "deprecated since v1.9",
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
                    "deprecated since v1.22; use Taints and Tolerations instead",
            "node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead");

    private final String path;
    private final List<String> warnings = new ArrayList<>();
    private final ContainerPortWarnings ports = new ContainerPortWarnings(warnings);

    PodSpecWarnings(String path) {
        this.path = path;
    }

    List<String> check(JsonNode spec, JsonNode metadata) {
        spec.path("nodeSelector").propertyNames().stream()
                .filter(DEPRECATED_LABELS::containsKey)
                .forEach(key -> warnings.add(path + ".nodeSelector[" + key + "]: " + deprecated(key)));
        warnings.addAll(new PodPlacementWarnings(path, spec).find());
        warnings.addAll(new PodAnnotationWarnings(path, spec, metadata.path("annotations")).ofPod());
        warnings.addAll(PodVolumeWarnings.find(spec.path("volumes"), path + ".volumes"));
        repeated(spec.path("hostAliases"), "ip", path + ".hostAliases");
        repeated(spec.path("imagePullSecrets"), "name", path + ".imagePullSecrets");
        int index = 0;
        for (JsonNode secret : spec.path("imagePullSecrets")) {
            String where = path + ".imagePullSecrets[" + index++ + "]";
            if (Json.string(secret, "name").isEmpty()) {
                warnings.add(where + ".name: invalid empty name \"\"");
            }
        }
        fractions(spec.path("overhead"), path + ".overhead");
        PodAnnotationWarnings annotations = new PodAnnotationWarnings(path, spec, metadata.path("annotations"));
        for (String list : List.of("initContainers", "containers")) {
            index = 0;
            for (JsonNode container : spec.path(list)) {
                warnings.addAll(annotations.ofContainer(container));
                container(container, path + "." + list + "[" + index++ + "]");
            }
        }
        if (spec.path("terminationGracePeriodSeconds").longValue(0) < 0) {
            warnings.add(path + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be"
                    + " treated as 1");
        }
        return warnings;
    }

    private void container(JsonNode container, String where) {
        for (String list : List.of("limits", "requests")) {
            fractions(container.path("resources").path(list), where + ".resources." + list);
        }
        variables(container.path("env"), where + ".env");
        ports.check(container.path("ports"), where + ".ports");
    }

    private void fractions(JsonNode amounts, String where) {
        for (String resource : List.of("memory", "ephemeral-storage")) {
            String amount = Json.string(amounts, resource);
            if (!amount.isEmpty()
                    && Quantity.value(amount).remainder(BigDecimal.ONE).signum() != 0) {
                warnings.add(where + "[" + resource + "]: fractional byte value \"" + amount
                        + "\" is invalid, must be an integer");
            }
        }
    }

    private void repeated(JsonNode list, String field, String where) {
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode element : list) {
            String value = Json.string(element, field);
            if (!seen.add(value)) {
                warnings.add(where + "[" + index + "]." + field + ": duplicate " + field + " \"" + value + "\"");
            }
            index++;
        }
    }

    /** What to use instead of a label; empty if it is not deprecated. */
    static String deprecated(String label) {
        return DEPRECATED_LABELS.getOrDefault(label, "");
    }

    /** A second variable of a name is intended only if its value refers to the first one. */
    private void variables(JsonNode variables, String where) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode variable : variables) {
            String name = Json.string(variable, "name");
            String reference = "$(" + name + ")";
            String value = Json.string(variable, "value");
            boolean extendsFirst = value.contains(reference) && !value.equals(reference) && !variable.has("valueFrom");
            if (!names.add(name) && !extendsFirst) {
                warnings.add(where + "[" + index + "]: hides previous definition of \"" + name
                        + "\", which may be dropped when using apply");
            }
            index++;
        }
    }
}
