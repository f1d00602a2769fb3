package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Plays scheduler and kubelet: a pod gets a node, runs, is ready, completes if a job wants it, and can be deleted. */
final class PodLifecycle implements WorkloadSimulation.Controller {
    private static final String NODE = "devcluster-node";
    private static final String HOST = "10.0.0.1";
    private final ControllerActions controllerActions;
    private final Duration delay;
    /** The uids of pods with a step that waits for its time. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    PodLifecycle(ControllerActions controllerActions, Duration delay) {
        this.controllerActions = controllerActions;
        this.delay = delay;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode pod = object.tree();
        if (object.deleting()) {
            terminate(object, pod);
        } else if (ControllerActions.phase(pod).equals("Pending")) {
            if (Json.string(pod, "spec", "nodeName").isEmpty()) {
                schedule(object, pod);
            } else {
                later(object, this::run);
            }
        } else if (ControllerActions.phase(pod).equals("Running") && completes(pod)) {
            later(object, this::complete);
        }
    }

    private static boolean completes(JsonNode pod) {
        return pod.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .anyMatch(owner -> Json.string(owner, "kind").equals("Job"));
    }

    @FunctionalInterface
    private interface Step {
        void take(StoredObject object, ObjectNode pod);
    }

    private void later(StoredObject object, Step step) {
        if (waiting.add(object.uid())) {
            controllerActions.state().taskScheduler().later(delay, () -> {
                waiting.remove(object.uid());
                controllerActions
                        .find(WorkloadKind.POD, object.namespace(), object.name())
                        .filter(current -> current.uid().equals(object.uid()) && !current.deleting())
                        .ifPresent(current -> step.take(current, current.tree()));
            });
        }
    }

    /** Nothing is there that would take time to shut down. */
    private void terminate(StoredObject object, ObjectNode pod) {
        ObjectNode metadata = Json.child(pod, "metadata");
        if (metadata.path("finalizers").isEmpty()) {
            controllerActions.remove(WorkloadKind.POD, object);
        } else if (metadata.path("deletionGracePeriodSeconds").longValue(0) > 0) {
            metadata.put("deletionGracePeriodSeconds", 0);
            controllerActions.replace(WorkloadKind.POD, object, pod);
        }
    }

    private void schedule(StoredObject object, ObjectNode pod) {
        Json.child(pod, "spec").put("nodeName", NODE);
        ObjectNode status = Json.child(pod, "status");
        String now = controllerActions.state().now();
        status.put("hostIP", HOST).put("startTime", now);
        status.putArray("hostIPs").addObject().put("ip", HOST);
        StatusConditions.set(status, "PodScheduled", true, "", "", now);
        StatusConditions.set(status, "Initialized", true, "", "", now);
        StatusConditions.set(status, "ContainersReady", false, "ContainersNotReady", "containers are starting", now);
        StatusConditions.set(status, "Ready", false, "ContainersNotReady", "containers are starting", now);
        containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "ContainerCreating")));
        controllerActions.replace(WorkloadKind.POD, object, pod);
    }

    private void run(StoredObject object, ObjectNode pod) {
        ObjectNode status = Json.child(pod, "status");
        String now = controllerActions.state().now();
        String address = address(object);
        status.put("phase", "Running").put("podIP", address);
        status.putArray("podIPs").addObject().put("ip", address);
        StatusConditions.set(status, "ContainersReady", true, "", "", now);
        StatusConditions.set(status, "Ready", true, "", "", now);
        containers(pod, true, Json.object().set("running", Json.object().put("startedAt", now)));
        controllerActions.replace(WorkloadKind.POD, object, pod);
    }

    private void complete(StoredObject object, ObjectNode pod) {
        ObjectNode status = Json.child(pod, "status");
        String now = controllerActions.state().now();
        status.put("phase", "Succeeded");
        StatusConditions.set(status, "ContainersReady", false, "PodCompleted", "", now);
        StatusConditions.set(status, "Ready", false, "PodCompleted", "", now);
        ObjectNode terminated = Json.object()
                .put("exitCode", 0)
                .put("reason", "Completed")
                .put("startedAt", Json.string(status, "startTime"))
                .put("finishedAt", now);
        containers(pod, false, Json.object().set("terminated", terminated));
        controllerActions.replace(WorkloadKind.POD, object, pod);
    }

    /** Some address, always the same for a pod. */
    private static String address(StoredObject object) {
        int hash = object.uid().hashCode();
        return "10.244." + (hash >>> 8 & 0xff) + "." + (1 + (hash & 0xff) % 254);
    }

    private static void containers(ObjectNode pod, boolean ready, JsonNode state) {
        ArrayNode statuses = Json.child(pod, "status").putArray("containerStatuses");
        for (JsonNode container : pod.path("spec").path("containers")) {
            String image = Json.string(container, "image");
            ObjectNode status = statuses.addObject();
            status.put("name", Json.string(container, "name"));
            status.set("state", state.deepCopy());
            status.putObject("lastState");
            status.put("ready", ready)
                    .put("restartCount", 0)
                    .put("image", image)
                    .put("imageID", "");
            status.put("started", ready);
        }
    }
}
