package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkItem;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What else has to be looked at when an object changes: its owners, and what selects or scales it. Used by the tasks of
 * the server only.
 */
final class RelatedItems {
    private final ControllerActions actions;

    RelatedItems(ControllerActions actions) {
        this.actions = actions;
    }

    Stream<WorkItem> of(WorkloadKind kind, ObjectChange change) {
        StoredObject object = change.object();
        return switch (kind) {
            case NODE ->
                actions.all(WorkloadKind.DAEMON_SET).stream().map(set -> WorkItem.of(WorkloadKind.DAEMON_SET, set));
            case POD -> Stream.concat(owners(change), selecting(change));
            case DEPLOYMENT, REPLICA_SET, STATEFUL_SET -> Stream.concat(owners(change), scaling(object));
            case ENDPOINTS -> Stream.of(new WorkItem(WorkloadKind.SERVICE, object.namespace(), object.name()));
            default -> owners(change);
        };
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
                : object.tree()
                        .path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .flatMap(reference -> WorkloadKind.of(
                                Json.string(reference, "apiVersion"), Json.string(reference, "kind"))
                                .map(kind -> new WorkItem(kind, object.namespace(), Json.string(reference, "name")))
                                .stream());
    }

    /** The services and disruption budgets that select a pod, or did so before. */
    private Stream<WorkItem> selecting(ObjectChange change) {
        Stream<WorkItem> services = matching(WorkloadKind.SERVICE, change, service -> {
            ObjectNode selector = Json.object();
            selector.set("matchLabels", service.path("spec").path("selector"));
            return service.path("spec").path("selector").isEmpty() ? Optional.empty() : Optional.of(selector);
        });
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
                .flatMap(kind -> actions.in(kind, object.namespace()).stream().map(each -> WorkItem.of(kind, each)));
    }
}
