package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkItem;
import dev.kopf4j.devcluster.controller.action.WorkQueue;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.controller.cronjob.CronJobController;
import dev.kopf4j.devcluster.controller.daemonset.DaemonSetController;
import dev.kopf4j.devcluster.controller.deployment.DeploymentController;
import dev.kopf4j.devcluster.controller.deployment.ReplicaSetController;
import dev.kopf4j.devcluster.controller.disruption.DisruptionController;
import dev.kopf4j.devcluster.controller.endpoint.ServiceController;
import dev.kopf4j.devcluster.controller.job.JobController;
import dev.kopf4j.devcluster.controller.podautoscaler.HorizontalController;
import dev.kopf4j.devcluster.controller.statefulset.StatefulSetController;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Follows the changes, and runs the controllers of changed objects, and of what is related to them. */
public final class WorkloadSimulation {
    private final ServerContext state;
    private final ControllerActions actions;
    private final WorkQueue workQueue;
    private final RelatedItems related;
    private final Map<WorkloadKind, WorkloadController> controllers = new EnumMap<>(WorkloadKind.class);

    /**
     * Creates the controllers for a store; {@link #start} lets them work.
     *
     * @param delay how long a pod takes to become ready, and the pod of a job to complete after that
     */
    public WorkloadSimulation(ServerContext state, ControllerClient client, Duration delay) {
        this.state = state;
        this.workQueue = new WorkQueue(state.taskScheduler(), state.clock(), this::sync);
        this.actions = new ControllerActions(state, client, workQueue);
        this.related = new RelatedItems(actions);
        controllers.put(WorkloadKind.POD, new PodLifecycle(actions, delay));
        controllers.put(WorkloadKind.REPLICA_SET, new ReplicaSetController(actions));
        controllers.put(WorkloadKind.DEPLOYMENT, new DeploymentController(actions));
        controllers.put(WorkloadKind.STATEFUL_SET, new StatefulSetController(actions));
        controllers.put(WorkloadKind.DAEMON_SET, new DaemonSetController(actions));
        controllers.put(WorkloadKind.JOB, new JobController(actions));
        controllers.put(WorkloadKind.CRON_JOB, new CronJobController(actions));
        controllers.put(WorkloadKind.POD_DISRUPTION_BUDGET, new DisruptionController(actions));
        controllers.put(WorkloadKind.HORIZONTAL_POD_AUTOSCALER, new HorizontalController(actions));
        controllers.put(WorkloadKind.SERVICE, new ServiceController(actions));
    }

    /** Begins to follow the changes. */
    public void start() {
        register(state);
        state.objectStore().observe(this::changed);
        controllers.keySet().forEach(this::addAll);
    }

    private void addAll(WorkloadKind kind) {
        actions.all(kind).forEach(object -> workQueue.add(WorkItem.of(kind, object)));
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange change) {
        WorkloadKind.ofBucket(resourceBucket.id()).ifPresent(kind -> {
            workQueue.add(WorkItem.of(kind, change.object()));
            state.taskScheduler().run(() -> related.of(kind, change).forEach(workQueue::add));
        });
    }

    private void sync(WorkItem item) {
        WorkloadController controller = controllers.get(item.kind());
        if (controller != null) {
            actions.find(item.kind(), item.namespace(), item.name())
                    .ifPresentOrElse(controller::sync, () -> controller.gone(item.namespace(), item.name()));
        }
    }

    /** Creates the node of simulated pods unless it is there, as a kubelet does: ready, with room for all. */
    private static void register(ServerContext state) {
        ResourceBucket nodes = state.objectStore().bucket("nodes");
        if (nodes.get("", SimulatedNode.NAME) == null) {
            state.objectStore().create(nodes, StoredObject.of(node(state)));
        }
    }

    private static ObjectNode node(ServerContext state) {
        ObjectNode node = Json.object();
        ObjectNode metadata = node.putObject("metadata").put("name", SimulatedNode.NAME);
        metadata.put("uid", state.nameGenerator().uid()).put("creationTimestamp", state.now());
        metadata.putObject("labels")
                .put("kubernetes.io/arch", "amd64")
                .put("kubernetes.io/hostname", SimulatedNode.NAME)
                .put("kubernetes.io/os", "linux");
        node.putObject("spec")
                .put("podCIDR", "10.244.0.0/16")
                .putArray("podCIDRs")
                .add("10.244.0.0/16");
        ObjectNode status = node.putObject("status");
        for (String amounts : List.of("capacity", "allocatable")) {
            status.putObject(amounts)
                    .put("cpu", "64")
                    .put("ephemeral-storage", "1Ti")
                    .put("memory", "256Gi")
                    .put("pods", "10k");
        }
        StatusConditions.set(status, "Ready", true, "KubeletReady", "pods are simulated", state.now());
        status.putArray("addresses").addObject().put("type", "InternalIP").put("address", SimulatedNode.ADDRESS);
        status.putObject("nodeInfo")
                .put("machineID", "")
                .put("systemUUID", "")
                .put("bootID", "")
                .put("kernelVersion", "")
                .put("osImage", "simulated")
                .put("containerRuntimeVersion", "simulated://1")
                .put("kubeletVersion", "v1.33.1")
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", "amd64");
        return node;
    }
}
