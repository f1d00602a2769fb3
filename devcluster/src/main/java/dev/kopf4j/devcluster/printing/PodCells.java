package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Cells of pods: {@code printPod} in {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class PodCells {
    private PodCells() {}

    static String ready(JsonNode pod) {
        return PodStatusSummary.of(pod).ready();
    }

    static String status(JsonNode pod) {
        return PodStatusSummary.of(pod).reason();
    }

    static String restarts(JsonNode pod, Instant now) {
        PodStatusSummary progress = PodStatusSummary.of(pod);
        boolean untold = progress.restarts() == 0 || progress.lastRestart().isEmpty();
        return progress.restarts() + (untold ? "" : " (" + HumanDuration.of(progress.lastRestart(), now) + " ago)");
    }

    static String gates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        if (gates.isEmpty()) {
            return "";
        }
        long open = gates.valueStream()
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

    /**
     * The status of a pod as tables show it: {@code printPod} in {@code pkg/printers/internalversion/printers.go},
     * v1.33.
     *
     * @param ready the numbers of ready containers and of all, sidecars included
     * @param reason the text of the STATUS column
     * @param restarts the restarts of the containers that run at present
     * @param lastRestart the time of the last restart; empty if unknown
     */
    private record PodStatusSummary(String ready, String reason, int restarts, String lastRestart) {
        static PodStatusSummary of(JsonNode pod) {
            return new StatusWalk(pod).sum();
        }

        private static final class StatusWalk {
            private final JsonNode pod;
            private final JsonNode status;
            private int readyContainers;
            private int allContainers;
            private int restarts;
            private String lastRestart = "";
            private int sidecarRestarts;
            private String lastSidecarRestart = "";
            private String reason;

            StatusWalk(JsonNode pod) {
                this.pod = pod;
                this.status = pod.path("status");
                this.reason = CellFunctions.or(Json.string(status, "reason"), Json.string(status, "phase"));
            }

            PodStatusSummary sum() {
                allContainers = pod.path("spec").path("containers").size();
                allContainers += (int) Json.items(pod, "spec", "initContainers")
                        .filter(StatusWalk::isSidecar)
                        .count();
                StatusConditions.find(status, "PodScheduled")
                        .filter(condition -> Json.string(condition, "reason").equals("SchedulingGated"))
                        .ifPresent(condition -> reason = "SchedulingGated");
                boolean initializing = initializing();
                if (!initializing || StatusConditions.isTrue(pod.path("status"), "Initialized")) {
                    running();
                }
                deleted();
                return new PodStatusSummary(readyContainers + "/" + allContainers, reason, restarts, lastRestart);
            }

            private static boolean isSidecar(JsonNode container) {
                return Json.string(container, "restartPolicy").equals("Always");
            }

            private boolean isSidecarStatus(JsonNode container) {
                return Json.items(pod, "spec", "initContainers")
                        .anyMatch(each ->
                                Json.string(each, "name").equals(Json.string(container, "name")) && isSidecar(each));
            }

            private boolean initializing() {
                int index = 0;
                for (JsonNode container : status.path("initContainerStatuses")) {
                    count(container);
                    boolean sidecar = isSidecarStatus(container);
                    if (sidecar) {
                        sidecarRestarts += container.path("restartCount").intValue(0);
                        lastSidecarRestart = later(lastSidecarRestart, container);
                    }
                    Optional<String> word = initReason(container, sidecar, index++);
                    if (word.isPresent()) {
                        reason = word.get();
                        return true;
                    }
                }
                return false;
            }

            /** Why an init container is not done; empty if it is. */
            private Optional<String> initReason(JsonNode container, boolean sidecar, int index) {
                JsonNode ended = container.path("state").path("terminated");
                String waiting = Json.string(container, "state", "waiting", "reason");
                if (ended.isObject() && ended.path("exitCode").intValue(0) == 0) {
                    return Optional.empty();
                }
                if (sidecar && container.path("started").booleanValue(false)) {
                    readyContainers += container.path("ready").booleanValue(false) ? 1 : 0;
                    return Optional.empty();
                }
                if (ended.isObject()) {
                    return Optional.of("Init:" + CellFunctions.or(Json.string(ended, "reason"), ending(ended)));
                }
                if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                    return Optional.of("Init:" + waiting);
                }
                return Optional.of("Init:" + index + "/"
                        + pod.path("spec").path("initContainers").size());
            }

            private void running() {
                restarts = sidecarRestarts;
                lastRestart = lastSidecarRestart;
                boolean anyRuns = false;
                JsonNode containers = status.path("containerStatuses");
                for (int index = containers.size() - 1; index >= 0; index--) {
                    JsonNode container = containers.get(index);
                    count(container);
                    JsonNode ended = container.path("state").path("terminated");
                    String waiting = Json.string(container, "state", "waiting", "reason");
                    if (!waiting.isEmpty()) {
                        reason = waiting;
                    } else if (ended.isObject()) {
                        reason = CellFunctions.or(Json.string(ended, "reason"), ending(ended));
                    } else if (container.path("ready").booleanValue(false)
                            && container.path("state").has("running")) {
                        anyRuns = true;
                        readyContainers++;
                    }
                }
                if (reason.equals("Completed") && anyRuns) {
                    reason = StatusConditions.isTrue(pod.path("status"), "Ready") ? "Running" : "NotReady";
                }
            }

            private static String ending(JsonNode ended) {
                int signal = ended.path("signal").intValue(0);
                return signal != 0
                        ? "Signal:" + signal
                        : "ExitCode:" + ended.path("exitCode").intValue(0);
            }

            private void count(JsonNode container) {
                restarts += container.path("restartCount").intValue(0);
                lastRestart = later(lastRestart, container);
            }

            private static String later(String time, JsonNode container) {
                String ended = Json.string(container, "lastState", "terminated", "finishedAt");
                return ended.compareTo(time) > 0 ? ended : time;
            }

            private void deleted() {
                if (!pod.path("metadata").has("deletionTimestamp")) {
                    return;
                }
                String phase = Json.string(status, "phase");
                if (Json.string(status, "reason").equals("NodeLost")) {
                    reason = "Unknown";
                } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                    reason = "Terminating";
                }
            }
        }
    }
}
