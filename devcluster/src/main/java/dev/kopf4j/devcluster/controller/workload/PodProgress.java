package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The states of a simulated pod. Pure. */
final class PodProgress {
    private static final String NODE = "devcluster-node";
    private static final String HOST = "10.0.0.1";

    private PodProgress() {}

    /** Puts a pod on the node. */
    static void schedule(ObjectNode pod, String now) {
        Json.child(pod, "spec").put("nodeName", NODE);
        ObjectNode status = Json.child(pod, "status");
        status.put("hostIP", HOST).put("startTime", now);
        status.putArray("hostIPs").addObject().put("ip", HOST);
        StatusConditions.set(status, "PodScheduled", true, "", "", now);
        StatusConditions.set(status, "Initialized", true, "", "", now);
        ready(status, false, "ContainersNotReady", "containers are starting", now);
        containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "ContainerCreating")));
    }

    /** Lets the containers of a pod run and be ready. */
    static void run(StoredObject object, ObjectNode pod, String now) {
        ObjectNode status = Json.child(pod, "status");
        String address = address(object);
        status.put("phase", "Running").put("podIP", address);
        status.putArray("podIPs").addObject().put("ip", address);
        ready(status, true, "", "", now);
        containers(pod, true, Json.object().set("running", Json.object().put("startedAt", now)));
    }

    /** Lets the containers of a pod wait for an image that cannot be pulled. */
    static void lackImage(StoredObject object, ObjectNode pod, String now) {
        ready(Json.child(pod, "status"), false, "ContainersNotReady", "an image cannot be pulled", now);
        containers(pod, false, Json.object().set("waiting", Json.object().put("reason", PodImages.BACK_OFF)));
    }

    /** Lets the containers of a pod end with success. */
    static void complete(StoredObject object, ObjectNode pod, String now) {
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Succeeded");
        ready(status, false, "PodCompleted", "", now);
        ObjectNode terminated = Json.object()
                .put("exitCode", 0)
                .put("reason", "Completed")
                .put("startedAt", Json.string(status, "startTime"))
                .put("finishedAt", now);
        containers(pod, false, Json.object().set("terminated", terminated));
    }

    private static void ready(ObjectNode status, boolean ready, String reason, String message, String now) {
        StatusConditions.set(status, "ContainersReady", ready, reason, message, now);
        StatusConditions.set(status, "Ready", ready, reason, message, now);
    }

    /** An invented address, always the same for a pod. */
    private static String address(StoredObject object) {
        int hash = object.uid().hashCode();
        return "10.244." + (hash >>> 8 & 0xff) + "." + (1 + (hash & 0xff) % 254);
    }

    private static void containers(ObjectNode pod, boolean ready, JsonNode state) {
        ArrayNode statuses = Json.child(pod, "status").putArray("containerStatuses");
        for (JsonNode container : pod.path("spec").path("containers")) {
            ObjectNode status = statuses.addObject();
            status.put("name", Json.string(container, "name"));
            status.set("state", state.deepCopy());
            status.putObject("lastState");
            status.put("ready", ready)
                    .put("restartCount", 0)
                    .put("image", Json.string(container, "image"))
                    .put("imageID", "");
            status.put("started", ready);
        }
    }
}
