package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The kinds that controllers of workloads look at, or make. */
public enum WorkloadKind {
    POD("", "v1", "pods", "Pod", "node-controller"),
    REPLICATION_CONTROLLER("", "v1", "replicationcontrollers", "ReplicationController", "replication-controller"),
    REPLICA_SET("apps", "v1", "replicasets", "ReplicaSet", "replicaset-controller"),
    DEPLOYMENT("apps", "v1", "deployments", "Deployment", "deployment-controller"),
    STATEFUL_SET("apps", "v1", "statefulsets", "StatefulSet", "statefulset-controller"),
    DAEMON_SET("apps", "v1", "daemonsets", "DaemonSet", "daemon-set-controller"),
    CONTROLLER_REVISION("apps", "v1", "controllerrevisions", "ControllerRevision", ""),
    JOB("batch", "v1", "jobs", "Job", "job-controller"),
    CRON_JOB("batch", "v1", "cronjobs", "CronJob", "cronjob-controller"),
    POD_DISRUPTION_BUDGET("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", "disruption-controller"),
    HORIZONTAL_POD_AUTOSCALER(
            "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", "horizontal-pod-autoscaler"),
    SERVICE("", "v1", "services", "Service", "endpointslice-controller"),
    ENDPOINTS("", "v1", "endpoints", "Endpoints", "endpointslicemirroring-controller"),
    ENDPOINT_SLICE("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", ""),
    PERSISTENT_VOLUME_CLAIM("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", ""),
    RESOURCE_QUOTA("", "v1", "resourcequotas", "ResourceQuota", ""),
    NODE("", "v1", "nodes", "Node", ""),
    EVENT("", "v1", "events", "Event", "");

    private final String group;
    private final String version;
    private final String plural;
    private final String kind;
    private final String controller;

    WorkloadKind(String group, String version, String plural, String kind, String controller) {
        this.group = group;
        this.version = version;
        this.plural = plural;
        this.kind = kind;
        this.controller = controller;
    }

    /** The service account of the controller that looks at it; empty if there is none. */
    public String controller() {
        return controller;
    }

    /** The kind of a bucket. */
    public static Optional<WorkloadKind> ofBucket(String bucket) {
        for (WorkloadKind each : values()) {
            if (each.bucket().equals(bucket)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The kind that a reference names, in whatever version. */
    public static Optional<WorkloadKind> of(String apiVersion, String kind) {
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        for (WorkloadKind each : values()) {
            if (each.group.equals(group) && each.kind.equals(kind)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Whether the spec says how many pods there are to be. */
    public boolean isScalable() {
        return switch (this) {
            case DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET -> true;
            default -> false;
        };
    }

    String group() {
        return group;
    }

    String version() {
        return version;
    }

    String plural() {
        return plural;
    }

    /** The selector of an object of the kind, in the form that has {@code matchLabels}. */
    public JsonNode selector(JsonNode object) {
        JsonNode selector = object.path("spec").path("selector");
        if (this != REPLICATION_CONTROLLER && this != SERVICE) {
            return selector;
        }
        ObjectNode labels = Json.object();
        labels.set("matchLabels", selector);
        return labels;
    }

    /** The name of the kind. */
    public String kind() {
        return kind;
    }

    /** The bucket of the kind. */
    public String bucket() {
        return group.isEmpty() ? plural : group + "/" + plural;
    }

    /** The name of the resource with its group, as messages have it. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Group and version. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
