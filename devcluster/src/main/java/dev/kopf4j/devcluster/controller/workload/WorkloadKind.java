package dev.kopf4j.devcluster.controller.workload;

/** The kinds that are simulated. */
enum WorkloadKind {
    POD("", "pods", "Pod"),
    REPLICA_SET("apps", "replicasets", "ReplicaSet"),
    DEPLOYMENT("apps", "deployments", "Deployment"),
    JOB("batch", "jobs", "Job");

    private final String group;
    private final String plural;
    private final String kind;

    WorkloadKind(String group, String plural, String kind) {
        this.group = group;
        this.plural = plural;
        this.kind = kind;
    }

    String group() {
        return group;
    }

    String plural() {
        return plural;
    }

    String kind() {
        return kind;
    }

    String bucket() {
        return group.isEmpty() ? plural : group + "/" + plural;
    }

    String apiVersion() {
        return group.isEmpty() ? "v1" : group + "/v1";
    }
}
