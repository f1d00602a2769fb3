package dev.kopf4j.devcluster.show;

import static dev.kopf4j.devcluster.show.Cells.NONE;
import static dev.kopf4j.devcluster.show.Cells.or;

import dev.kopf4j.devcluster.json.Json;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What tables tell of pods. Pure. */
final class PodCells {
    private PodCells() {}

    static Map<String, Cells.Cell> all() {
        return Map.of(
                "podReady",
                Cells.text(pod -> PodProgress.of(pod).ready()),
                "podStatus",
                Cells.text(pod -> PodProgress.of(pod).reason()),
                "podRestarts",
                (pod, now) -> Tables.text(restarts(PodProgress.of(pod), now)),
                "podAddress",
                Cells.text(
                        pod -> or(Json.string(pod.path("status").path("podIPs").path(0), "ip"), NONE)),
                "podNode",
                Cells.text(pod -> or(Json.string(pod, "spec", "nodeName"), NONE)),
                "nominated",
                Cells.text(pod -> or(Json.string(pod, "status", "nominatedNodeName"), NONE)),
                "gates",
                Cells.text(PodCells::gates));
    }

    private static String restarts(PodProgress progress, Instant now) {
        boolean untold = progress.restarts() == 0 || progress.lastRestart().isEmpty();
        return progress.restarts() + (untold ? "" : " (" + Age.of(progress.lastRestart(), now) + " ago)");
    }

    private static String gates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        if (gates.isEmpty()) {
            return NONE;
        }
        long open = Cells.each(gates)
                .filter(gate -> Cells.holds(pod, Json.string(gate, "conditionType")))
                .count();
        return open + "/" + gates.size();
    }

    /** The conditions of a table's row: a pod that has ended says so. */
    static ArrayNode rowConditions(JsonNode pod) {
        ArrayNode conditions = Json.array();
        String phase = Json.string(pod, "status", "phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            String words = phase.equals("Failed") ? "The pod failed." : "The pod has completed successfully.";
            conditions
                    .addObject()
                    .put("type", "Completed")
                    .put("status", "True")
                    .put("reason", phase)
                    .put("message", words);
        }
        return conditions;
    }
}
