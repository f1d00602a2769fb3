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
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

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
        NodeRegistration.register(state);
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
}
