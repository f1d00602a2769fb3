package dev.kopf4j.devcluster.show;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

/** What tables tell of a pod's containers. Pure. */
final class PodCells {
    private PodCells() {}

    static String ready(JsonNode pod) {
        long ready = pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .filter(status -> status.path("ready").booleanValue(false))
                .count();
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    static String restarts(JsonNode pod) {
        return String.valueOf(pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .mapToInt(status -> status.path("restartCount").intValue(0))
                .sum());
    }

    static String status(JsonNode pod) {
        if (pod.path("metadata").has("deletionTimestamp")) {
            return Json.string(pod, "status", "reason").equals("NodeLost") ? "Unknown" : "Terminating";
        }
        String shown = Json.string(pod, "status", "reason");
        if (shown.isEmpty()) {
            shown = Json.string(pod, "status", "phase");
        }
        for (JsonNode status : pod.path("status").path("containerStatuses")) {
            String waiting = Json.string(status, "state", "waiting", "reason");
            String ended = Json.string(status, "state", "terminated", "reason");
            if (!waiting.isEmpty()) {
                shown = waiting;
            } else if (!ended.isEmpty()) {
                shown = ended;
            }
        }
        return shown;
    }
}
