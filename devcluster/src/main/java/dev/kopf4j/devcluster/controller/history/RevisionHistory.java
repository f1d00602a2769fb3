package dev.kopf4j.devcluster.controller.history;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.TemplateHash;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the revisions of workloads: {@code getStatefulSetRevisions} and {@code truncateHistory} in
 * {@code pkg/controller/statefulset/stateful_set_control.go}, and {@code constructHistory} and {@code cleanupHistory}
 * in {@code pkg/controller/daemon/update.go}, v1.33. Used by the tasks of the server only.
 */
public final class RevisionHistory {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
    private final ControllerActions actions;
    private final WorkloadKind kind;

    /** The history of the workloads of a kind. */
    public RevisionHistory(ControllerActions actions, WorkloadKind kind) {
        this.actions = actions;
        this.kind = kind;
    }

    /** The revisions of a workload, oldest first. */
    public List<Revision> of(StoredObject owner) {
        return actions.owned(WorkloadKind.CONTROLLER_REVISION, owner).stream()
                .map(Revision::of)
                .sorted(Comparator.comparingLong(Revision::number).thenComparing(Revision::name))
                .toList();
    }

    /**
     * The revision of the present template: made if there is none, and the newest one, also if the template was used
     * before. Empty if it cannot be made now.
     */
    public Optional<Revision> update(StoredObject owner, JsonNode workload) {
        List<Revision> revisions = of(owner);
        JsonNode template = workload.path("spec").path("template");
        ObjectNode data = Revision.data(template);
        long next = revisions.isEmpty() ? 1 : revisions.getLast().number() + 1;
        Optional<Revision> equal = revisions.reversed().stream()
                .filter(revision -> revision.has(data))
                .findFirst();
        if (equal.isEmpty()) {
            return create(owner, workload, data, next);
        }
        return equal.get().number() == next - 1 ? equal : renumber(equal.get(), next);
    }

    private Optional<Revision> renumber(Revision revision, long number) {
        StoredObject object = revision.object();
        boolean done = actions.replace(
                WorkloadKind.CONTROLLER_REVISION, object, object.tree().put("revision", number));
        return done ? find(object.namespace(), object.name()) : Optional.empty();
    }

    private Optional<Revision> find(String namespace, String name) {
        return actions.find(WorkloadKind.CONTROLLER_REVISION, namespace, name).map(Revision::of);
    }

    private Optional<Revision> create(StoredObject owner, JsonNode workload, ObjectNode data, long number) {
        String hash = TemplateHash.of(data);
        ObjectNode revision = Json.object();
        ObjectNode metadata = revision.putObject("metadata").put("name", owner.name() + "-" + hash);
        ObjectNode labels = Json.child(metadata, "labels");
        labels.setAll((ObjectNode) objectAt(workload.at("/spec/template/metadata/labels")));
        labels.put(Revision.HASH, hash);
        if (kind == WorkloadKind.STATEFUL_SET) {
            labels.remove(Revision.HASH);
            labels.put("controller.kubernetes.io/hash", hash);
        }
        metadata.set("annotations", objectAt(workload.at("/metadata/annotations")));
        revision.set("data", data);
        revision.put("revision", number);
        actions.create(WorkloadKind.CONTROLLER_REVISION, owner, kind, revision);
        return find(owner.namespace(), owner.name() + "-" + hash);
    }

    private static JsonNode objectAt(JsonNode node) {
        return node.isObject() ? node.deepCopy() : Json.object();
    }

    /** The generation of a daemon set's template, as an annotation has it; empty without. */
    public static String templateGeneration(JsonNode workload) {
        return Json.string(workload, "metadata", "annotations", TEMPLATE_GENERATION);
    }

    /**
     * Deletes the oldest revisions that are too many.
     *
     * @param live the names or hashes of those in use, which do not count
     */
    public void truncate(StoredObject owner, JsonNode workload, Set<String> live) {
        long limit = workload.path("spec").path("revisionHistoryLimit").longValue(10);
        List<Revision> spare = of(owner).stream()
                .filter(revision -> !live.contains(revision.name()) && !live.contains(revision.hash()))
                .toList();
        spare.stream()
                .limit(Math.max(0, spare.size() - limit))
                .forEach(revision -> actions.delete(WorkloadKind.CONTROLLER_REVISION, revision.object()));
    }
}
