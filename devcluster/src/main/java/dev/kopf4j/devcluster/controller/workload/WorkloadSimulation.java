package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Follows the changes, and runs the controllers of changed objects. */
public final class WorkloadSimulation {
    private final ServerContext state;
    private final ControllerActions actions;
    private final Map<WorkloadKind, Controller> controllers = new EnumMap<>(WorkloadKind.class);

    /** Brings one object closer to its spec. Called again whenever the object or a dependent changes. */
    @FunctionalInterface
    interface Controller {
        void sync(StoredObject object);
    }

    /**
     * Creates the controllers for a store; {@link #start} lets them work.
     *
     * @param delay how long a pod takes to become ready, and the pod of a job to complete after that
     */
    public WorkloadSimulation(ServerContext state, ControllerClient client, Duration delay) {
        this.state = state;
        this.actions = new ControllerActions(state, client);
        controllers.put(WorkloadKind.POD, new PodLifecycle(actions, delay));
        controllers.put(WorkloadKind.REPLICA_SET, new ReplicaSetController(actions));
        controllers.put(WorkloadKind.DEPLOYMENT, new DeploymentController(actions));
        controllers.put(WorkloadKind.JOB, new JobController(actions));
    }

    /** Begins to follow the changes. */
    public void start() {
        NodeRegistration.register(state);
        state.objectStore().observe(this::changed);
        for (WorkloadKind kind : WorkloadKind.values()) {
            actions.all(kind).forEach(object -> schedule(kind, object));
        }
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        for (WorkloadKind kind : WorkloadKind.values()) {
            if (kind.bucket().equals(resourceBucket.id())) {
                schedule(kind, objectChange.object());
                return;
            }
        }
    }

    private void schedule(WorkloadKind kind, StoredObject object) {
        state.taskScheduler().run(() -> {
            sync(kind, object.namespace(), object.name());
            object.owners().forEach(this::syncOwner);
        });
    }

    private void syncOwner(String uid) {
        for (WorkloadKind kind :
                new WorkloadKind[] {WorkloadKind.REPLICA_SET, WorkloadKind.DEPLOYMENT, WorkloadKind.JOB}) {
            for (StoredObject owner : actions.all(kind)) {
                if (owner.uid().equals(uid)) {
                    sync(kind, owner.namespace(), owner.name());
                    return;
                }
            }
        }
    }

    private void sync(WorkloadKind kind, String namespace, String name) {
        Controller controller = controllers.get(kind);
        if (controller != null) {
            actions.find(kind, namespace, name).ifPresent(controller::sync);
        }
    }
}
