package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition Progressing of a deployment: {@code syncRolloutStatus} in
 * {@code pkg/controller/deployment/progress.go}, v1.33. A rollout that makes no progress for
 * {@code progressDeadlineSeconds} has failed. Confined to one task.
 */
final class DeploymentProgress {
    private static final String TYPE = "Progressing";
    private static final String AVAILABLE = "NewReplicaSetAvailable";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";
    private final JsonNode deployment;
    private final ObjectNode status;
    private final JsonNode before;
    private final String now;

    /**
     * The progress of a deployment whose status has the counts of now.
     *
     * @param before the status as it was
     */
    DeploymentProgress(ObjectNode deployment, JsonNode before, String now) {
        this.deployment = deployment;
        this.status = Json.child(deployment, "status");
        this.before = before;
        this.now = now;
    }

    private long wanted() {
        return deployment.path("spec").path("replicas").longValue(1);
    }

    private long seconds() {
        return deployment.path("spec").path("progressDeadlineSeconds").longValue(Integer.MAX_VALUE);
    }

    private String reason() {
        return StatusConditions.find(status, TYPE)
                .map(condition -> Json.string(condition, "reason"))
                .orElse("");
    }

    /**
     * Sets the condition.
     *
     * @param newest the name of the replica set of the present template
     * @param exists whether it is there already
     */
    void set(String newest, boolean exists) {
        boolean paused = deployment.path("spec").path("paused").booleanValue(false);
        String set = "ReplicaSet \"" + newest + "\" ";
        if (seconds() >= Integer.MAX_VALUE) {
            Json.list(status, "conditions")
                    .removeIf(condition -> Json.string(condition, "type").equals(TYPE));
        } else if (paused) {
            put("Unknown", "DeploymentPaused", "Deployment is paused");
        } else if (reason().equals("DeploymentPaused")) {
            put("Unknown", "DeploymentResumed", "Deployment is resumed");
        } else if (!exists) {
            put("True", "NewReplicaSetCreated", "Created new replica set \"" + newest + "\"");
        } else if (isComplete()) {
            put("True", AVAILABLE, set + "has successfully progressed.");
        } else if (reason().equals(AVAILABLE) && old(status) == 0) {
            return; // only scaled: the rollout is over
        } else if (reason().isEmpty() || isProgressing()) {
            put("True", "ReplicaSetUpdated", set + "is progressing.");
        } else if (deadline().filter(time -> !time.isAfter(Instant.parse(now))).isPresent()) {
            put("False", TIMED_OUT, set + "has timed out progressing.");
        }
    }

    private static long count(JsonNode status, String field) {
        return status.path(field).longValue(0);
    }

    private boolean isComplete() {
        return count(status, "updatedReplicas") == wanted()
                && count(status, "replicas") == wanted()
                && count(status, "availableReplicas") == wanted();
    }

    private boolean isProgressing() {
        return count(status, "updatedReplicas") > count(before, "updatedReplicas")
                || old(status) < old(before)
                || count(status, "readyReplicas") > count(before, "readyReplicas")
                || count(status, "availableReplicas") > count(before, "availableReplicas");
    }

    private static long old(JsonNode status) {
        return count(status, "replicas") - count(status, "updatedReplicas");
    }

    private void put(String truth, String reason, String message) {
        Optional<JsonNode> present = StatusConditions.find(status, TYPE);
        boolean same = present.filter(
                        condition -> Json.string(condition, "status").equals(truth) && reason.equals(reason()))
                .isPresent();
        if (same && !isProgressing()) {
            return;
        }
        String since = present.filter(
                        condition -> Json.string(condition, "status").equals(truth))
                .map(condition -> Json.string(condition, "lastTransitionTime"))
                .orElse(now);
        ObjectNode condition = StatusConditions.set(status, TYPE, true, reason, message, now);
        condition.put("status", truth).put("lastUpdateTime", now).put("lastTransitionTime", since);
    }

    /** When the rollout fails unless there is progress before; empty if it has ended. */
    Optional<Instant> deadline() {
        if (reason().equals(AVAILABLE) || reason().equals(TIMED_OUT) || seconds() >= Integer.MAX_VALUE) {
            return Optional.empty();
        }
        return StatusConditions.find(status, TYPE)
                .filter(condition -> Json.string(condition, "status").equals("True"))
                .map(condition -> Json.string(condition, "lastUpdateTime"))
                .filter(time -> !time.isEmpty())
                .map(time -> Instant.parse(time).plusSeconds(seconds()));
    }
}
