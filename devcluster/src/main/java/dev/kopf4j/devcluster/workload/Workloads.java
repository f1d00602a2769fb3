package dev.kopf4j.devcluster.workload;

import dev.kopf4j.devcluster.rest.ResourceApi;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Follows the changes, and brings the objects concerned before their controllers. */
public final class Workloads {
    private final ServerState state;
    private final Actions actions;
    private final Map<Kind, Controller> controllers = new EnumMap<>(Kind.class);

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
    public Workloads(ServerState state, ResourceApi api, Duration delay) {
        this.state = state;
        this.actions = new Actions(state, api);
        controllers.put(Kind.POD, new PodLife(actions, delay));
        controllers.put(Kind.REPLICA_SET, new ReplicaSets(actions));
        controllers.put(Kind.DEPLOYMENT, new Deployments(actions));
        controllers.put(Kind.JOB, new JobRuns(actions));
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        for (Kind kind : Kind.values()) {
            actions.all(kind).forEach(object -> schedule(kind, object));
        }
    }

    private void changed(Bucket bucket, Change change) {
        for (Kind kind : Kind.values()) {
            if (kind.bucket().equals(bucket.id())) {
                schedule(kind, change.object());
                return;
            }
        }
    }

    private void schedule(Kind kind, StoredObject object) {
        state.tasks().run(() -> {
            sync(kind, object.namespace(), object.name());
            object.owners().forEach(this::syncOwner);
        });
    }

    private void syncOwner(String uid) {
        for (Kind kind : new Kind[] {Kind.REPLICA_SET, Kind.DEPLOYMENT, Kind.JOB}) {
            for (StoredObject owner : actions.all(kind)) {
                if (owner.uid().equals(uid)) {
                    sync(kind, owner.namespace(), owner.name());
                    return;
                }
            }
        }
    }

    private void sync(Kind kind, String namespace, String name) {
        Controller controller = controllers.get(kind);
        if (controller != null) {
            actions.find(kind, namespace, name).ifPresent(controller::sync);
        }
    }
}
