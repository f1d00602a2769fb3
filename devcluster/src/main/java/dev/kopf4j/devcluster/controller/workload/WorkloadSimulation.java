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
import dev.kopf4j.devcluster.controller.job.JobController;
import dev.kopf4j.devcluster.controller.statefulset.StatefulSetController;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Follows the changes, and runs the controllers of changed objects, of their owners, and of what depends on them. */
public final class WorkloadSimulation {
    private final ServerContext state;
    private final ControllerActions actions;
    private final WorkQueue workQueue;
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
        controllers.put(WorkloadKind.POD, new PodLifecycle(actions, delay));
        controllers.put(WorkloadKind.REPLICA_SET, new ReplicaSetController(actions));
        controllers.put(WorkloadKind.DEPLOYMENT, new DeploymentController(actions));
        controllers.put(WorkloadKind.STATEFUL_SET, new StatefulSetController(actions));
        controllers.put(WorkloadKind.DAEMON_SET, new DaemonSetController(actions));
        controllers.put(WorkloadKind.JOB, new JobController(actions));
        controllers.put(WorkloadKind.CRON_JOB, new CronJobController(actions));
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
            if (kind == WorkloadKind.NODE) {
                state.taskScheduler().run(() -> addAll(WorkloadKind.DAEMON_SET));
            }
            StoredObject before = change.before();
            boolean wasOwned = before != null && !before.owners().isEmpty();
            if (wasOwned || !change.object().owners().isEmpty()) {
                state.taskScheduler().run(() -> addOwners(change));
            }
        });
    }

    private void addOwners(ObjectChange change) {
        owners(change.object()).forEach(workQueue::add);
        StoredObject before = change.before();
        if (before != null && !before.owners().equals(change.object().owners())) {
            owners(before).forEach(workQueue::add);
        }
        if (change.after() == null) { // a deployment may wait until the pods of its replica set are gone
            owners(change.object())
                    .flatMap(owner -> actions.find(owner.kind(), owner.namespace(), owner.name()).stream())
                    .flatMap(WorkloadSimulation::owners)
                    .forEach(workQueue::add);
        }
    }

    private static Stream<WorkItem> owners(StoredObject object) {
        return object.tree()
                .path("metadata")
                .path("ownerReferences")
                .valueStream()
                .flatMap(reference ->
                        WorkloadKind.of(Json.string(reference, "apiVersion"), Json.string(reference, "kind")).stream()
                                .map(kind -> new WorkItem(kind, object.namespace(), Json.string(reference, "name"))));
    }

    private void sync(WorkItem item) {
        WorkloadController controller = controllers.get(item.kind());
        if (controller != null) {
            actions.find(item.kind(), item.namespace(), item.name()).ifPresent(controller::sync);
        }
    }
}
