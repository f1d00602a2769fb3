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
    private static final Map<String, String> DEPRECATED_LABELS = Map.of(
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/os", "kubernetes.io/os");

    private final String path;
    private final List<String> warnings = new ArrayList<>();
    private final ContainerPortWarnings ports = new ContainerPortWarnings(warnings);

    PodSpecWarnings(String path) {
        this.path = path;
    }

    List<String> check(JsonNode spec) {
        spec.path("nodeSelector").propertyNames().stream()
                .filter(DEPRECATED_LABELS::containsKey)
                .forEach(key -> warnings.add(path + ".nodeSelector[" + key + "]: deprecated since v1.14; use \""
                        + DEPRECATED_LABELS.get(key) + "\" instead"));
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            String where = path + ".volumes[" + index++ + "]";
            if (volume.has("gitRepo")) {
                warnings.add(where + ".gitRepo: deprecated in v1.11, and disabled by default in v1.33+");
            }
        }
        index = 0;
        for (JsonNode secret : spec.path("imagePullSecrets")) {
            String where = path + ".imagePullSecrets[" + index++ + "]";
            if (Json.string(secret, "name").isEmpty()) {
                warnings.add(where + ".name: invalid empty name \"\"");
            }
        }
        for (String list : List.of("initContainers", "containers")) {
            index = 0;
            for (JsonNode container : spec.path(list)) {
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
        for (String list : List.of("requests", "limits")) {
            String memory = Json.string(container, "resources", list, "memory");
            if (!memory.isEmpty()
                    && Quantity.value(memory).remainder(BigDecimal.ONE).signum() != 0) {
                warnings.add(where + ".resources." + list + "[memory]: fractional byte value \"" + memory
                        + "\" is invalid, must be an integer");
            }
        }
        variables(container.path("env"), where + ".env");
        ports.check(container.path("ports"), where + ".ports");
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
