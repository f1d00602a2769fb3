package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.endpoints.ResourceEndpoints;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Follows the changes, and brings the objects concerned before their controllers. */
public final class WorkloadSimulation {
    private final ServerContext state;
    private final ControllerActions controllerActions;
    private final Map<WorkloadKind, Controller> controllers = new EnumMap<>(WorkloadKind.class);

    /** Brings one object nearer to what it wants to be; called again whenever it or its children change. */
    @FunctionalInterface
    interface Controller {
        void sync(StoredObject object);
    }

    /**
     * Controllers over a store; {@link #start} lets them work.
     *
     * @param delay how long a pod takes to become ready, and the pod of a job to complete after that
     */
    public WorkloadSimulation(ServerContext state, ResourceEndpoints api, Duration delay) {
        this.state = state;
        this.controllerActions = new ControllerActions(state, api);
        controllers.put(WorkloadKind.POD, new PodLifecycle(controllerActions, delay));
        controllers.put(WorkloadKind.REPLICA_SET, new ReplicaSetController(controllerActions));
        controllers.put(WorkloadKind.DEPLOYMENT, new DeploymentController(controllerActions));
        controllers.put(WorkloadKind.JOB, new JobController(controllerActions));
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        for (WorkloadKind workloadKind : WorkloadKind.values()) {
            controllerActions.all(workloadKind).forEach(object -> schedule(workloadKind, object));
        }
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        for (WorkloadKind workloadKind : WorkloadKind.values()) {
            if (workloadKind.bucket().equals(resourceBucket.id())) {
                schedule(workloadKind, objectChange.object());
                return;
            }
        }
    }

    private void schedule(WorkloadKind workloadKind, StoredObject object) {
        state.taskScheduler().run(() -> {
            sync(workloadKind, object.namespace(), object.name());
            object.owners().forEach(this::syncOwner);
        });
    }

    private void syncOwner(String uid) {
        for (WorkloadKind workloadKind :
                new WorkloadKind[] {WorkloadKind.REPLICA_SET, WorkloadKind.DEPLOYMENT, WorkloadKind.JOB}) {
            for (StoredObject owner : controllerActions.all(workloadKind)) {
                if (owner.uid().equals(uid)) {
                    sync(workloadKind, owner.namespace(), owner.name());
                    return;
                }
            }
        }
    }

    private void sync(WorkloadKind workloadKind, String namespace, String name) {
        Controller controller = controllers.get(workloadKind);
        if (controller != null) {
            controllerActions.find(workloadKind, namespace, name).ifPresent(controller::sync);
        }
    }
}
