package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the managedFields of one resource's objects for one writer.
 *
 * @param manager who writes
 * @param subresource the endpoint that is written through
 * @param now the time of the write
 */
public record FieldManager(Resource resource, String manager, String subresource, String now) {
    private static final Set<String> SERVER_FIELDS = Set.of(
            "f:name",
            "f:namespace",
            "f:creationTimestamp",
            "f:selfLink",
            "f:uid",
            "f:generation",
            "f:managedFields",
            "f:resourceVersion",
            "f:deletionTimestamp",
            "f:deletionGracePeriodSeconds");

    private ManagedFields.ManagerKey id(String operation) {
        return new ManagedFields.ManagerKey(manager, operation, resource.apiVersion(), subresource);
    }

    private void strip(FieldSet set) {
        set.drop((top, below) -> ignored(top, below));
        FieldSet metadata = set.children().get("f:metadata");
        if (metadata != null) {
            metadata.removeMember();
            if (metadata.isEmpty()) {
                set.children().remove("f:metadata");
            }
        }
    }

    private boolean ignored(String top, String below) {
        if (top.equals("f:apiVersion") || top.equals("f:kind")) {
            return true;
        }
        if (top.equals("f:metadata") && SERVER_FIELDS.contains(below)) {
            return true;
        }
        if (subresource.equals("status")) {
            return below.isEmpty() && (resource.isCustom() ? !top.equals("f:status") : top.equals("f:spec"));
        }
        return resource.hasStatus() && subresource.isEmpty() && top.equals("f:status") && below.isEmpty();
    }

    /** Records a new object that was not applied: the writer owns what he sent, and the defaults of the rest. */
    public void recordCreation(ObjectNode sent, ObjectNode next) {
        ObjectNode owned = next;
        if (!resource.resourceTraits().serverAssignedFields().isEmpty()) {
            owned = next.deepCopy();
            for (String path : resource.resourceTraits().serverAssignedFields()) {
                ServerAssignedFields.restoreSent(path, owned, sent);
            }
        }
        recordUpdate(Json.object(), owned);
        JsonNode record = owned.path("metadata").path("managedFields");
        if (record.isMissingNode()) {
            Json.child(next, "metadata").remove("managedFields");
        } else {
            Json.child(next, "metadata").set("managedFields", record);
        }
    }

    /** Records a write that is no apply: the writer owns what it changed, others lose it. */
    public void recordUpdate(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = Json.child(next, "metadata");
        JsonNode sent = metadata.path("managedFields");
        JsonNode kept = before.path("metadata").path("managedFields");
        boolean reset = sent instanceof ArrayNode array
                && (array.isEmpty() || (array.size() == 1 && array.get(0).isEmpty()));
        if (reset) {
            metadata.remove("managedFields");
            return;
        }
        boolean isNew = before.isEmpty();
        ManagedFields managedFieldsOf = ManagedFields.parse(sent.isArray() ? sent : kept);
        if (managedFieldsOf.isEmpty() && !isNew) {
            metadata.remove("managedFields");
            return;
        }
        FieldComparison fieldComparison =
                FieldComparison.of(MergeSchemas.of(resource), isNew ? MergeSchemas.blank(resource) : before, next);
        FieldSet taken = fieldComparison.changed().copy();
        strip(taken);
        ManagedFields.ManagerKey own = id("Update");
        takeFromOthers(managedFieldsOf, taken, fieldComparison.removed(), own);
        if (!taken.isEmpty()) {
            ManagedFields.OwnedFields former = managedFieldsOf.get(own);
            FieldSet fields = former == null ? new FieldSet() : former.fields();
            fields.addAll(taken);
            managedFieldsOf.put(own, new ManagedFields.OwnedFields(fields, now));
        }
        write(metadata, managedFieldsOf);
    }

    private static void takeFromOthers(
            ManagedFields managedFieldsOf, FieldSet taken, FieldSet gone, ManagedFields.ManagerKey own) {
        for (Map.Entry<ManagedFields.ManagerKey, ManagedFields.OwnedFields> entry :
                managedFieldsOf.entries().entrySet()) {
            if (!entry.getKey().equals(own)) {
                entry.getValue().fields().removeAll(taken);
            }
            entry.getValue().fields().removeAll(gone);
        }
        managedFieldsOf.dropEmpty();
    }

    private static void write(ObjectNode metadata, ManagedFields managedFieldsOf) {
        if (managedFieldsOf.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            metadata.set("managedFields", managedFieldsOf.write());
        }
    }

    /** The result of an apply. */
    public record Applied(ObjectNode object, boolean changed) {}

    /**
     * Merges a configuration into an object; 409 with all conflicts when others own what it changes, unless forced.
     *
     * @param live the present object, empty when there is none
     */
    public Applied apply(ObjectNode live, ObjectNode configuration, boolean force) {
        MergeSchema mergeSchema = MergeSchemas.of(resource);
        ManagedFields managedFieldsOf =
                ManagedFields.parse(live.path("metadata").path("managedFields"));
        ObjectNode base = live.deepCopy();
        if (base.has("metadata")) {
            Json.child(base, "metadata").remove("managedFields");
        }
        if (managedFieldsOf.isEmpty() && !live.isEmpty()) {
            beforeFirstApply(mergeSchema, base, managedFieldsOf);
        }
        String about = Json.string(configuration, "metadata", "namespace") + "/"
                + Json.string(configuration, "metadata", "name") + "; " + resource.apiVersion() + ", Kind="
                + resource.kind();
        FieldSet wanted = new AppliedConfiguration(about).fields(mergeSchema, configuration);
        strip(wanted);
        ManagedFields.ManagerKey own = id("Apply");
        ManagedFields.ManagerKey formerId = managedFieldsOf.applier(own);
        ManagedFields.OwnedFields former = formerId == null ? null : managedFieldsOf.get(formerId);
        if (formerId != null) {
            managedFieldsOf.entries().remove(formerId);
        }
        ObjectNode merged = (ObjectNode) AppliedConfiguration.merge(mergeSchema, base, configuration);
        if (former != null) {
            List<FieldSet> owners = new ArrayList<>();
            managedFieldsOf.entries().values().forEach(ownedFields -> owners.add(ownedFields.fields()));
            owners.add(wanted);
            new AbandonedFields(owners).apply(mergeSchema, merged, former.fields());
        }
        FieldComparison fieldComparison = FieldComparison.of(mergeSchema, base, merged);
        FieldSet taken = fieldComparison.changed().copy();
        strip(taken);
        ignoreEmptied(merged, taken);
        checkConflicts(managedFieldsOf, taken, force);
        takeFromOthers(managedFieldsOf, taken, fieldComparison.removed(), own);
        boolean changed = !JsonEquality.same(base, merged);
        String time = changed ? now : former == null ? "" : former.time();
        if (!wanted.isEmpty()) {
            managedFieldsOf.put(own, new ManagedFields.OwnedFields(wanted, time));
        }
        write(Json.child(merged, "metadata"), managedFieldsOf);
        return new Applied(merged, changed);
    }

    /** What was there before anybody applied belongs to a manager of its own. */
    private void beforeFirstApply(MergeSchema mergeSchema, ObjectNode live, ManagedFields managedFieldsOf) {
        FieldSet all = FieldComparison.of(mergeSchema, MergeSchemas.blank(resource), live)
                .changed()
                .copy();
        new FieldManager(resource, manager, "", now).strip(all);
        all.drop((top, below) -> resource.hasStatus() && top.equals("f:status") && below.isEmpty());
        managedFieldsOf.put(
                new ManagedFields.ManagerKey("before-first-apply", "Update", resource.apiVersion(), ""),
                new ManagedFields.OwnedFields(all, now));
    }

    /** A null that the removal of all content left is nobody's wish. */
    private static void ignoreEmptied(ObjectNode merged, FieldSet taken) {
        for (List<String> path : taken.paths()) {
            JsonNode found = merged;
            for (String name : path) {
                found = name.startsWith("f:") ? found.path(name.substring(2)) : Json.missing();
            }
            if (found.isNull()) {
                FieldSet empty = new FieldSet();
                empty.add(path);
                taken.removeAll(empty);
            }
        }
    }

    private static void checkConflicts(ManagedFields managedFieldsOf, FieldSet taken, boolean force) {
        List<Conflict> conflicts = new ArrayList<>();
        managedFieldsOf
                .entries()
                .forEach((managerKey, ownedFields) -> ownedFields
                        .fields()
                        .intersection(taken)
                        .paths()
                        .forEach(path -> conflicts.add(new Conflict(managerKey, PathElements.shown(path)))));
        if (!conflicts.isEmpty() && !force) {
            throw Conflict.refuse(conflicts);
        }
    }

    private record Conflict(ManagedFields.ManagerKey managerKey, String field) {
        String words() {
            String how = managerKey.applies() ? "" : " using " + managerKey.apiVersion();
            if (!managerKey.subresource().isEmpty()) {
                how = " with subresource \"" + managerKey.subresource() + "\"" + how;
            }
            return "conflict with \"" + managerKey.manager() + "\"" + how;
        }

        static ApiException refuse(List<Conflict> conflicts) {
            ObjectNode details = Json.object();
            ArrayNode causes = details.putArray("causes");
            StringBuilder message = new StringBuilder(
                    "Apply failed with " + conflicts.size() + (conflicts.size() == 1 ? " conflict: " : " conflicts: "));
            if (conflicts.size() == 1) {
                message.append(conflicts.getFirst().words())
                        .append(": ")
                        .append(conflicts.getFirst().field());
            }
            String group = "";
            for (Conflict conflict : conflicts) {
                causes.addObject()
                        .put("reason", "FieldManagerConflict")
                        .put("message", conflict.words())
                        .put("field", conflict.field());
                if (conflicts.size() > 1) {
                    String words = conflict.words().replaceFirst("conflict with", "conflicts with");
                    message.append(words.equals(group) ? "" : (group.isEmpty() ? "" : "\n") + words + ":")
                            .append("\n- ")
                            .append(conflict.field());
                    group = words;
                }
            }
            return ApiException.of(409, "Conflict", message.toString(), details, true);
        }
    }
}
