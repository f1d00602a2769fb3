package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Warnings about where pods go: node affinity by old labels, and terms that select no pod. See
 * {@code warningsForPodSpecAndMeta} in {@code pkg/api/pod/warnings.go} and {@code GetWarningsForNodeSelectorTerm} in
 * {@code pkg/api/node/util.go}, v1.33. Confined to one check.
 */
final class PodPlacementWarnings {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final String SELECTS_NOTHING = ": a null labelSelector results in matching no pod";

    private final String path;
    private final JsonNode spec;
    private final List<String> warnings = new ArrayList<>();

    PodPlacementWarnings(String path, JsonNode spec) {
        this.path = path;
        this.spec = spec;
    }

    List<String> find() {
        JsonNode affinity = spec.path("affinity");
        nodeTerms(affinity.path("nodeAffinity"));
        int index = 0;
        for (JsonNode spread : spec.path("topologySpreadConstraints")) {
            String where = path + ".topologySpreadConstraints[" + index++ + "]";
            String key = Json.string(spread, "topologyKey");
            if (!PodSpecWarnings.deprecated(key).isEmpty()) {
                warnings.add(where + ".topologyKey: " + key + " is " + PodSpecWarnings.deprecated(key));
            }
            selector(spread, where);
        }
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            podTerms(affinity.path(kind), path + ".affinity." + kind);
        }
        return warnings;
    }

    private void nodeTerms(JsonNode affinity) {
        String where = path + ".affinity.nodeAffinity.";
        int index = 0;
        for (JsonNode term : affinity.path(REQUIRED).path("nodeSelectorTerms")) {
            expressions(term, where + REQUIRED + ".nodeSelectorTerms[" + index++ + "]");
        }
        index = 0;
        for (JsonNode term : affinity.path(PREFERRED)) {
            expressions(term.path("preference"), where + PREFERRED + "[" + index++ + "].preference");
        }
    }

    private void expressions(JsonNode term, String where) {
        int index = 0;
        for (JsonNode expression : term.path("matchExpressions")) {
            String key = Json.string(expression, "key");
            if (!PodSpecWarnings.deprecated(key).isEmpty()) {
                warnings.add(where + ".matchExpressions[" + index + "].key: " + key + " is "
                        + PodSpecWarnings.deprecated(key));
            }
            index++;
        }
    }

    private void podTerms(JsonNode affinity, String where) {
        int index = 0;
        for (JsonNode term : affinity.path(REQUIRED)) {
            selector(term, where + "." + REQUIRED + "[" + index++ + "]");
        }
        index = 0;
        for (JsonNode term : affinity.path(PREFERRED)) {
            selector(term.path("podAffinityTerm"), where + "." + PREFERRED + "[" + index++ + "].podAffinityTerm");
        }
    }

    private void selector(JsonNode term, String where) {
        if (!term.path("labelSelector").isObject()) {
            warnings.add(where + ".labelSelector" + SELECTS_NOTHING);
        }
    }
}
