package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Cells of pods: {@code printPod} in {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class PodCells {
    private PodCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.of(
                "podReady",
                TableCells.text(pod -> PodStatusSummary.of(pod).ready()),
                "podStatus",
                TableCells.text(pod -> PodStatusSummary.of(pod).reason()),
                "podRestarts",
                (pod, now) -> TableColumns.text(restarts(PodStatusSummary.of(pod), now)),
                "podAddress",
                TableCells.text(
                        pod -> or(Json.string(pod.path("status").path("podIPs").path(0), "ip"), NONE)),
                "podNode",
                TableCells.text(pod -> or(Json.string(pod, "spec", "nodeName"), NONE)),
                "nominated",
                TableCells.text(pod -> or(Json.string(pod, "status", "nominatedNodeName"), NONE)),
                "gates",
                TableCells.text(PodCells::gates));
    }

    private static String restarts(PodStatusSummary progress, Instant now) {
        boolean untold = progress.restarts() == 0 || progress.lastRestart().isEmpty();
        return progress.restarts() + (untold ? "" : " (" + HumanDuration.of(progress.lastRestart(), now) + " ago)");
    }

    private static String gates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        if (gates.isEmpty()) {
            return NONE;
        }
        long open = TableCells.each(gates)
                .filter(gate -> StatusConditions.isTrue(pod.path("status"), Json.string(gate, "conditionType")))
                .count();
        return open + "/" + gates.size();
    }

    /** The conditions of the row of a pod that has ended. */
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
