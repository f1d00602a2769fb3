package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.storage.StoredObject;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The states of a simulated pod. Pure. */
final class PodProgress {
    private PodProgress() {}

    /** Puts a pod on the node, or on the one that its affinity names. */
    static void schedule(ObjectNode pod, String now) {
        String node = PodTemplate.node(pod);
        Json.child(pod, "spec").put("nodeName", node.isEmpty() ? SimulatedNode.NAME : node);
        ObjectNode status = Json.child(pod, "status");
        status.put("hostIP", SimulatedNode.ADDRESS).put("startTime", now);
        status.putArray("hostIPs").addObject().put("ip", SimulatedNode.ADDRESS);
        StatusConditions.set(status, "PodScheduled", true, "", "", now);
        StatusConditions.set(status, "Initialized", true, "", "", now);
        ready(status, false, "ContainersNotReady", "containers are starting", now);
        containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "ContainerCreating")));
    }

    /** Lets the containers of a pod run and be ready. */
    static void run(StoredObject object, ObjectNode pod, String now) {
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Running");
        giveAddress(object, status);
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

    /** Lets a pod end without success, by a container, or because the node has thrown it out. */
    static void fail(ObjectNode pod, boolean evicted, String now) {
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Failed");
        ready(status, false, evicted ? "PodFailed" : "ContainersNotReady", "", now);
        if (evicted) {
            status.put("reason", "Evicted").put("message", "The node was low on resource: memory.");
            status.remove("containerStatuses");
            return;
        }
        ObjectNode terminated = Json.object()
                .put("exitCode", 1)
                .put("reason", "Error")
                .put("startedAt", Json.string(status, "startTime"))
                .put("finishedAt", now);
        containers(pod, false, Json.object().set("terminated", terminated));
    }

    /** Lets the containers of a pod end and wait for their next start, for ever. */
    static void crash(StoredObject object, ObjectNode pod, String now) {
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Running");
        giveAddress(object, status);
        ready(status, false, "ContainersNotReady", "containers crash", now);
        containers(pod, false, Json.object().set("waiting", Json.object().put("reason", "CrashLoopBackOff")));
        ObjectNode terminated = Json.object().put("exitCode", 1).put("reason", "Error");
        terminated.put("startedAt", Json.string(status, "startTime")).put("finishedAt", now);
        for (JsonNode container : status.path("containerStatuses")) {
            ((ObjectNode) container).put("restartCount", 1);
            ((ObjectNode) container.path("lastState")).set("terminated", terminated.deepCopy());
        }
    }

    /** Lets the containers of a pod run, but never be ready. */
    static void runUnready(StoredObject object, ObjectNode pod, String now) {
        run(object, pod, now);
        ready(Json.child(pod, "status"), false, "ContainersNotReady", "probes fail", now);
        pod.path("status").path("containerStatuses").forEach(container -> ((ObjectNode) container).put("ready", false));
    }

    private static void ready(ObjectNode status, boolean ready, String reason, String message, String now) {
        StatusConditions.set(status, "ContainersReady", ready, reason, message, now);
        StatusConditions.set(status, "Ready", ready, reason, message, now);
    }

    private static void giveAddress(StoredObject object, ObjectNode status) {
        if (!status.has("podIP")) {
            String address = address(object);
            status.put("podIP", address).putArray("podIPs").addObject().put("ip", address);
        }
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
