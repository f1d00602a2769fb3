package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkItem;
import dev.kopf4j.devcluster.controller.action.WorkQueue;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.controller.cronjob.CronJobController;
import dev.kopf4j.devcluster.controller.daemonset.DaemonSetController;
import dev.kopf4j.devcluster.controller.deployment.DeploymentController;
import dev.kopf4j.devcluster.controller.deployment.ReplicaSetController;
import dev.kopf4j.devcluster.controller.disruption.DisruptionController;
import dev.kopf4j.devcluster.controller.endpoint.MirroringController;
import dev.kopf4j.devcluster.controller.endpoint.ServiceController;
import dev.kopf4j.devcluster.controller.job.JobController;
import dev.kopf4j.devcluster.controller.podautoscaler.HorizontalController;
import dev.kopf4j.devcluster.controller.statefulset.StatefulSetController;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Follows the changes, and runs the controllers of changed objects, and of what is related to them. */
public final class WorkloadSimulation {
    /** What the controllers create. */
    private static final Map<WorkloadKind, Set<WorkloadKind>> CREATED = Map.of(
            WorkloadKind.REPLICATION_CONTROLLER, Set.of(WorkloadKind.POD),
            WorkloadKind.REPLICA_SET, Set.of(WorkloadKind.POD),
            WorkloadKind.DEPLOYMENT, Set.of(WorkloadKind.REPLICA_SET),
            WorkloadKind.STATEFUL_SET,
                    Set.of(WorkloadKind.POD, WorkloadKind.PERSISTENT_VOLUME_CLAIM, WorkloadKind.CONTROLLER_REVISION),
            WorkloadKind.DAEMON_SET, Set.of(WorkloadKind.POD, WorkloadKind.CONTROLLER_REVISION),
            WorkloadKind.JOB, Set.of(WorkloadKind.POD),
            WorkloadKind.CRON_JOB, Set.of(WorkloadKind.JOB),
            WorkloadKind.SERVICE, Set.of(WorkloadKind.ENDPOINTS, WorkloadKind.ENDPOINT_SLICE),
            WorkloadKind.ENDPOINTS, Set.of(WorkloadKind.ENDPOINT_SLICE));

    private final ServerContext state;
    private final int nodes;
    private final String kubelet;
    private final ControllerActions actions;
    private final WorkQueue workQueue;
    private final RelatedItems related;
    private final Map<WorkloadKind, WorkloadController> controllers = new EnumMap<>(WorkloadKind.class);

    /**
     * Creates the controllers for a store; {@link #start} lets them work.
     *
     * @param delay how long a pod takes to become ready, and the pod of a job to complete after that
     * @param nodes how many nodes there are
     * @param kubernetes the version of their kubelets
     */
    public WorkloadSimulation(
            ServerContext state, ControllerClient client, Duration delay, int nodes, KubernetesVersion kubernetes) {
        this.state = state;
        this.nodes = nodes;
        this.kubelet = "v" + kubernetes + ".1";
        this.workQueue = new WorkQueue(state.taskScheduler(), state.clock(), this::mayWait, this::sync);
        this.actions = new ControllerActions(state, client, workQueue);
        PodLifecycle pods = new PodLifecycle(actions, delay);
        this.related = new RelatedItems(actions, pods);
        controllers.put(WorkloadKind.POD, pods);
        for (WorkloadKind kind : List.of(WorkloadKind.REPLICA_SET, WorkloadKind.REPLICATION_CONTROLLER)) {
            controllers.put(kind, new ReplicaSetController(actions, kind));
        }
        controllers.put(WorkloadKind.DEPLOYMENT, new DeploymentController(actions));
        controllers.put(WorkloadKind.STATEFUL_SET, new StatefulSetController(actions));
        controllers.put(WorkloadKind.DAEMON_SET, new DaemonSetController(actions));
        controllers.put(WorkloadKind.JOB, new JobController(actions));
        controllers.put(WorkloadKind.CRON_JOB, new CronJobController(actions));
        controllers.put(WorkloadKind.POD_DISRUPTION_BUDGET, new DisruptionController(actions));
        controllers.put(WorkloadKind.HORIZONTAL_POD_AUTOSCALER, new HorizontalController(actions));
        controllers.put(WorkloadKind.SERVICE, new ServiceController(actions));
        controllers.put(WorkloadKind.ENDPOINTS, new MirroringController(actions));
    }

    /** Begins to follow the changes. */
    public void start() {
        register();
        state.objectStore().observe(this::changed);
        controllers.keySet().forEach(this::addAll);
    }

    private void addAll(WorkloadKind kind) {
        actions.all(kind).forEach(object -> workQueue.add(WorkItem.of(kind, object)));
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange change) {
        Optional<WorkloadKind> changed = WorkloadKind.ofBucket(resourceBucket.id());
        changed.filter(kind -> kind != WorkloadKind.EVENT).ifPresent(kind -> {
            workQueue.add(WorkItem.of(kind, change.object()));
            state.taskScheduler().run(() -> related.of(kind, change).forEach(workQueue::add));
        });
    }

    private boolean mayWait(WorkItem item) {
        return actions.mayWait(CREATED.getOrDefault(item.kind(), Set.of()), item.namespace());
    }

    private void sync(WorkItem item) {
        WorkloadController controller = controllers.get(item.kind());
        if (controller != null) {
            actions.find(item.kind(), item.namespace(), item.name())
                    .ifPresentOrElse(controller::sync, () -> controller.gone(item.namespace(), item.name()));
        }
    }

    /** Creates the nodes of simulated pods unless they are there, as kubelets do: ready, with room for all. */
    private void register() {
        ResourceBucket bucket = state.objectStore().bucket("nodes");
        for (int number = 1; number <= nodes; number++) {
            SimulatedNode simulated = new SimulatedNode(number);
            if (bucket.get("", simulated.name()) == null) {
                state.objectStore().create(bucket, StoredObject.of(node(simulated)));
            }
        }
    }

    private ObjectNode node(SimulatedNode simulated) {
        return Json.filled(
                (ObjectNode) Json.parse(BesideClass.bytes(WorkloadSimulation.class, "node.json")),
                Map.of(
                        "name", simulated.name(),
                        "uid", state.nameGenerator().uid(),
                        "now", state.now(),
                        "range", simulated.podCidr(),
                        "address", simulated.address(),
                        "kubelet", kubelet));
    }

    /**
     * What else has to be looked at when an object changes: its owners, and what selects or scales it. Used by the
     * tasks of the server only.
     */
    private static final class RelatedItems {
        private static final List<WorkloadKind> ADOPTING =
                List.of(WorkloadKind.REPLICA_SET, WorkloadKind.REPLICATION_CONTROLLER, WorkloadKind.JOB);

        private final ControllerActions actions;
        private final PodLifecycle pods;

        RelatedItems(ControllerActions actions, PodLifecycle pods) {
            this.actions = actions;
            this.pods = pods;
        }

        Stream<WorkItem> of(WorkloadKind kind, ObjectChange change) {
            StoredObject object = change.object();
            return switch (kind) {
                case NODE ->
                    Stream.of(all(WorkloadKind.DAEMON_SET), unscheduled(change), concerned(change))
                            .flatMap(items -> items);
                case POD ->
                    Stream.of(
                                    owners(change),
                                    selecting(change),
                                    adopting(change, ADOPTING),
                                    leavingRoom(change),
                                    choosing(change))
                            .flatMap(items -> items);
                case REPLICA_SET ->
                    Stream.concat(
                            Stream.concat(owners(change), scaling(object)),
                            adopting(change, List.of(WorkloadKind.DEPLOYMENT)));
                case DEPLOYMENT, REPLICATION_CONTROLLER, STATEFUL_SET -> Stream.concat(owners(change), scaling(object));
                case ENDPOINTS -> present(WorkloadKind.SERVICE, object);
                case SERVICE -> Stream.of(new WorkItem(WorkloadKind.ENDPOINTS, object.namespace(), object.name()));
                default -> owners(change);
            };
        }

        /** The object of the same name: Endpoints without a service are left alone, unless it was there. */
        private Stream<WorkItem> present(WorkloadKind kind, StoredObject namesake) {
            return actions.find(kind, namesake.namespace(), namesake.name()).stream()
                    .map(object -> WorkItem.of(kind, object));
        }

        private Stream<WorkItem> all(WorkloadKind kind) {
            return actions.all(kind).stream().map(object -> WorkItem.of(kind, object));
        }

        /** The pods that may find a place when a node comes or changes its spec; what nodes report changes nothing. */
        private Stream<WorkItem> unscheduled(ObjectChange change) {
            StoredObject before = change.before();
            StoredObject after = change.after();
            boolean same = after == null
                    || (before != null
                            && JsonEquality.same(
                                    before.tree().path("spec"), after.tree().path("spec"))
                            && JsonEquality.same(labels(before), labels(after)));
            return same ? Stream.empty() : unscheduled();
        }

        /** The pods of a node that comes or goes, or whose taints have changed. */
        private Stream<WorkItem> concerned(ObjectChange change) {
            StoredObject before = change.before();
            StoredObject after = change.after();
            boolean same = before != null
                    && after != null
                    && JsonEquality.same(
                            before.tree().path("spec").path("taints"),
                            after.tree().path("spec").path("taints"));
            return same
                    ? Stream.empty()
                    : actions.all(WorkloadKind.POD).stream()
                            .filter(pod -> Json.string(pod.tree(), "spec", "nodeName")
                                    .equals(change.object().name()))
                            .map(pod -> WorkItem.of(WorkloadKind.POD, pod));
        }

        private Stream<WorkItem> unscheduled() {
            return actions.all(WorkloadKind.POD).stream()
                    .filter(pod -> Json.string(pod.tree(), "spec", "nodeName").isEmpty())
                    .map(pod -> WorkItem.of(WorkloadKind.POD, pod));
        }

        /** The pods that may find a place when one ends that has taken some. */
        private Stream<WorkItem> leavingRoom(ObjectChange change) {
            StoredObject before = change.before();
            StoredObject after = change.after();
            boolean leaves = before != null
                    && !PodTemplate.hasEnded(before.tree())
                    && (after == null || PodTemplate.hasEnded(after.tree()))
                    && NodeRoom.isAskedFor(before.tree().path("spec"));
            return leaves ? unscheduled() : Stream.empty();
        }

        /** The pods that may find a place when another one gets one, leaves it, or has other labels. */
        private Stream<WorkItem> choosing(ObjectChange change) {
            if (pods.choosy().isEmpty()) {
                return Stream.empty();
            }
            StoredObject before = change.before();
            StoredObject after = change.after();
            boolean same = before != null
                    && after != null
                    && PodTemplate.hasEnded(before.tree()) == PodTemplate.hasEnded(after.tree())
                    && Json.string(before.tree(), "spec", "nodeName")
                            .equals(Json.string(after.tree(), "spec", "nodeName"))
                    && JsonEquality.same(labels(before), labels(after));
            return same ? Stream.empty() : pods.choosy().stream();
        }

        private Stream<WorkItem> owners(ObjectChange change) {
            StoredObject object = change.object();
            StoredObject before = change.before();
            Stream<WorkItem> owners = owners(object);
            if (before != null && !before.owners().equals(object.owners())) {
                owners = Stream.concat(owners, owners(before));
            }
            if (change.after() == null) { // a deployment may wait until the pods of its replica set are gone
                Stream<WorkItem> above = owners(object)
                        .flatMap(owner -> actions.find(owner.kind(), owner.namespace(), owner.name()).stream())
                        .flatMap(RelatedItems::owners);
                owners = Stream.concat(owners, above);
            }
            return owners;
        }

        private static Stream<WorkItem> owners(StoredObject object) {
            return object.owners().isEmpty()
                    ? Stream.empty()
                    : Json.items(object.tree(), "metadata", "ownerReferences")
                            .flatMap(reference -> WorkloadKind.of(
                                    Json.string(reference, "apiVersion"), Json.string(reference, "kind"))
                                    .map(kind -> new WorkItem(kind, object.namespace(), Json.string(reference, "name")))
                                    .stream());
        }

        /** What may adopt an object that nobody controls. */
        private Stream<WorkItem> adopting(ObjectChange change, List<WorkloadKind> kinds) {
            StoredObject after = change.after();
            return after == null || ControllerActions.hasController(after)
                    ? Stream.empty()
                    : kinds.stream()
                            .flatMap(kind -> matching(kind, change, object -> Optional.of(kind.selector(object))));
        }

        /** The services and disruption budgets that select a pod, or did so before. */
        private Stream<WorkItem> selecting(ObjectChange change) {
            Stream<WorkItem> services = matching(
                    WorkloadKind.SERVICE,
                    change,
                    service -> Optional.of(WorkloadKind.SERVICE.selector(service))
                            .filter(selector -> !selector.path("matchLabels").isEmpty()));
            Stream<WorkItem> budgets = matching(
                    WorkloadKind.POD_DISRUPTION_BUDGET,
                    change,
                    budget -> Optional.of(budget.path("spec").path("selector")).filter(JsonNode::isObject));
            return Stream.concat(services, budgets);
        }

        /** How an object selects pods. */
        @FunctionalInterface
        private interface Selection {
            Optional<? extends JsonNode> selector(JsonNode object);
        }

        private Stream<WorkItem> matching(WorkloadKind kind, ObjectChange change, Selection selection) {
            if (actions.bucket(kind).size() == 0) {
                return Stream.empty();
            }
            JsonNode labels = labels(change.object());
            StoredObject before = change.before();
            JsonNode former = before == null ? labels : labels(before);
            return actions.in(kind, change.object().namespace()).stream()
                    .filter(each -> selection
                            .selector(each.tree())
                            .map(LabelSelector::of)
                            .filter(selector -> selector.matches(labels) || selector.matches(former))
                            .isPresent())
                    .map(each -> WorkItem.of(kind, each));
        }

        private static JsonNode labels(StoredObject object) {
            return object.tree().path("metadata").path("labels");
        }

        /** The budgets and autoscalers in the namespace of an object with replicas. */
        private Stream<WorkItem> scaling(StoredObject object) {
            return Stream.of(WorkloadKind.POD_DISRUPTION_BUDGET, WorkloadKind.HORIZONTAL_POD_AUTOSCALER)
                    .filter(kind -> actions.bucket(kind).size() > 0)
                    .flatMap(kind ->
                            actions.in(kind, object.namespace()).stream().map(each -> WorkItem.of(kind, each)));
        }
    }
}
