package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.FinalizerRemoval;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects in namespaces that are being deleted, then the namespaces:
 * {@code pkg/controller/namespace/deletion/namespaced_resources_deleter.go}, v1.33.
 */
public final class NamespaceController {
    private static final String FINALIZER = "kubernetes";
    private static final String BACKGROUND = "Background";
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final UserInfo ACCOUNT = UserInfo.controller("namespace-controller");
    private final ServerContext state;
    private final ControllerDeletion deletion;
    private final FinalizerRemoval finalizerRemoval;

    /** The uids of those whose objects are being deleted, by name. */
    private final Map<String, String> terminating = new ConcurrentHashMap<>();

    /** Those that are looked at soon. */
    private final Set<String> soon = ConcurrentHashMap.newKeySet();

    /** Those that are looked at in a while. */
    private final Set<String> later = ConcurrentHashMap.newKeySet();

    /** A controller over a store; {@link #start} lets it work. */
    public NamespaceController(ServerContext state, ControllerClient client) {
        this.state = state;
        this.deletion = client.collectionDeletion();
        this.finalizerRemoval = new FinalizerRemoval(state);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.objectStore().list(namespaces(), "").objects().stream()
                .filter(StoredObject::deleting)
                .forEach(namespace -> schedule(namespace.name()));
    }

    private ResourceBucket namespaces() {
        return state.objectStore().bucket(Buckets.NAMESPACES);
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        if (bucket.id().equals(Buckets.NAMESPACES)) {
            if (change.after() == null) {
                terminating.remove(object.name(), object.uid());
            } else if (object.deleting() && !object.uid().equals(terminating.get(object.name()))) {
                schedule(object.name());
            }
        } else if ((change.before() == null || change.after() == null) && terminating.containsKey(object.namespace())) {
            schedule(object.namespace());
        }
    }

    private void schedule(String name) {
        if (soon.add(name)) {
            state.taskScheduler().run(() -> {
                soon.remove(name);
                look(name);
            });
        }
    }

    /**
     * Begins to delete, or goes on: at once when nothing is left, otherwise after a pause, as thousands of objects may
     * go one by one.
     */
    private void look(String name) {
        if (terminating.containsKey(name) && !isEmpty(name)) {
            if (later.add(name)) {
                state.taskScheduler().later(PAUSE, () -> {
                    later.remove(name);
                    sync(name);
                });
            }
        } else {
            sync(name);
        }
    }

    private void sync(String name) {
        StoredObject current = namespaces().get("", name);
        if (current == null || !current.deleting()) {
            terminating.remove(name); // another one of this name may be there
        } else {
            boolean begins = !current.uid().equals(terminating.put(name, current.uid()));
            Remainder remainder = empty(name, begins);
            StoredObject told = tell(current, remainder);
            if (told == null) {
                schedule(name);
            } else if (remainder.resources().isEmpty()) {
                release(told);
            }
        }
    }

    private boolean isEmpty(String name) {
        return state.servedResources().stored().stream()
                .filter(NamespaceController::isEmptied)
                .noneMatch(resource -> state.bucket(resource).hasAny(name));
    }

    private static boolean isEmptied(Resource resource) {
        return resource.namespaced() && resource.verbs().contains("list");
    }

    /**
     * What is left in a namespace.
     *
     * @param resources how many objects of each resource
     * @param finalizers how many objects each finalizer holds
     * @param refusals why objects were not deleted
     */
    private record Remainder(Map<String, Integer> resources, Map<String, Integer> finalizers, Set<String> refusals) {}

    /**
     * Deletes the objects in a namespace.
     *
     * @param all also those that are being deleted already
     */
    private Remainder empty(String name, boolean all) {
        Remainder remainder = new Remainder(new TreeMap<>(), new TreeMap<>(), new TreeSet<>());
        for (Resource resource : state.servedResources().stored()) {
            if (isEmptied(resource)) {
                ResourceBucket bucket = state.bucket(resource);
                for (StoredObject object :
                        state.objectStore().list(bucket, name).objects()) {
                    if (all || !object.deleting() || deletion.refusal(object).isPresent()) {
                        ObjectNode options = Json.object().put("propagationPolicy", BACKGROUND);
                        deletion.delete(
                                new ControllerDeletion.Wanted(ACCOUNT, resource, object, BACKGROUND, options),
                                () -> again(name));
                    }
                    StoredObject left = bucket.get(name, object.name());
                    if (left != null) {
                        count(resource, left, remainder);
                    }
                }
            }
        }
        return remainder;
    }

    /** Looks again after a refusal; many may have been refused at the same time. */
    private void again(String name) {
        if (soon.add(name)) {
            state.taskScheduler().run(() -> {
                soon.remove(name);
                sync(name);
            });
        }
    }

    private void count(Resource resource, StoredObject left, Remainder remainder) {
        remainder.resources().merge(resource.plural() + "." + resource.group(), 1, Integer::sum);
        left.tree()
                .path("metadata")
                .path("finalizers")
                .forEach(finalizer -> remainder.finalizers().merge(finalizer.asString(), 1, Integer::sum));
        deletion.refusal(left).ifPresent(remainder.refusals()::add);
    }

    /**
     * Tells in the status what is left, if anything is or was: {@code status_condition_utils.go} beside the deleter.
     *
     * @return the namespace as it is then; null if another write came between
     */
    private @Nullable StoredObject tell(StoredObject current, Remainder remainder) {
        ObjectNode namespace = current.tree();
        ObjectNode status = Json.child(namespace, "status");
        if (remainder.resources().isEmpty() && status.path("conditions").isEmpty()) {
            return current;
        }
        Set<String> refusals = remainder.refusals();
        set(
                status,
                "NamespaceDeletionDiscoveryFailure",
                "",
                "ResourcesDiscovered",
                "All resources successfully discovered");
        set(
                status,
                "NamespaceDeletionGroupVersionParsingFailure",
                "",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        set(
                status,
                "NamespaceDeletionContentFailure",
                refusals.isEmpty() ? "" : "ContentDeletionFailed",
                "ContentDeleted",
                refusals.isEmpty()
                        ? "All content successfully deleted, may be waiting on finalization"
                        : "Failed to delete all resource types, " + refusals.size() + " remaining: "
                                + String.join(", ", refusals));
        set(
                status,
                "NamespaceContentRemaining",
                remainder.resources().isEmpty() ? "" : "SomeResourcesRemain",
                "ContentRemoved",
                remainder.resources().isEmpty()
                        ? "All content successfully removed"
                        : "Some resources are remaining: " + listed(remainder.resources(), " has "));
        set(
                status,
                "NamespaceFinalizersRemaining",
                remainder.finalizers().isEmpty() ? "" : "SomeFinalizersRemain",
                "ContentHasNoFinalizers",
                remainder.finalizers().isEmpty()
                        ? "All content-preserving finalizers finished"
                        : "Some content in the namespace has finalizers remaining: "
                                + listed(remainder.finalizers(), " in "));
        if (JsonEquality.same(namespace, current.tree())) {
            return current;
        }
        return state.objectStore().replace(namespaces(), current, current.changedTo(namespace));
    }

    /** Sets a condition, which is true if there is a problem. */
    private void set(ObjectNode status, String type, String problem, String otherwise, String message) {
        boolean truth = !problem.isEmpty();
        StatusConditions.set(status, type, truth, truth ? problem : otherwise, message, state.now());
    }

    private static String listed(Map<String, Integer> counts, String between) {
        return counts.entrySet().stream()
                .map(each -> each.getKey() + between + each.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    private void release(StoredObject current) {
        ObjectNode namespace = current.tree();
        if (namespace.path("spec").path("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(each -> each.stringValue().equals(FINALIZER));
        }
        if (!finalizerRemoval.store(namespaces(), current, namespace)) {
            schedule(current.name());
        }
    }
}
