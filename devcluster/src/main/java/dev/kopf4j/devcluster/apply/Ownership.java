package dev.kopf4j.devcluster.apply;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
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
public record Ownership(Resource resource, String manager, String subresource, String now) {
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

    private Managers.Id id(String operation) {
        return new Managers.Id(manager, operation, resource.apiVersion(), subresource);
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
        if (!resource.traits().assigned().isEmpty()) {
            owned = next.deepCopy();
            for (String path : resource.traits().assigned()) {
                Assigned.takeBack(path, owned, sent);
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
        Managers managers = Managers.parse(sent.isArray() ? sent : kept);
        if (managers.isEmpty() && !isNew) {
            metadata.remove("managedFields");
            return;
        }
        Comparison comparison = Comparison.of(Shapes.of(resource), isNew ? Shapes.blank(resource) : before, next);
        FieldSet taken = comparison.changed().copy();
        strip(taken);
        Managers.Id own = id("Update");
        release(managers, taken, comparison.removed(), own);
        if (!taken.isEmpty()) {
            Managers.Entry former = managers.get(own);
            FieldSet fields = former == null ? new FieldSet() : former.fields();
            fields.addAll(taken);
            managers.put(own, new Managers.Entry(fields, now));
        }
        write(metadata, managers);
    }

    private static void release(Managers managers, FieldSet taken, FieldSet gone, Managers.Id own) {
        for (Map.Entry<Managers.Id, Managers.Entry> entry : managers.entries().entrySet()) {
            if (!entry.getKey().equals(own)) {
                entry.getValue().fields().removeAll(taken);
            }
            entry.getValue().fields().removeAll(gone);
        }
        managers.dropEmpty();
    }

    private static void write(ObjectNode metadata, Managers managers) {
        if (managers.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            metadata.set("managedFields", managers.write());
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
        Shape shape = Shapes.of(resource);
        Managers managers = Managers.parse(live.path("metadata").path("managedFields"));
        ObjectNode base = live.deepCopy();
        if (base.has("metadata")) {
            Json.child(base, "metadata").remove("managedFields");
        }
        if (managers.isEmpty() && !live.isEmpty()) {
            beforeFirstApply(shape, base, managers);
        }
        String about = Json.string(configuration, "metadata", "namespace") + "/"
                + Json.string(configuration, "metadata", "name") + "; " + resource.apiVersion() + ", Kind="
                + resource.kind();
        FieldSet wanted = new Configuration(about).fields(shape, configuration);
        strip(wanted);
        Managers.Id own = id("Apply");
        Managers.Id formerId = managers.applier(own);
        Managers.Entry former = formerId == null ? null : managers.get(formerId);
        if (formerId != null) {
            managers.entries().remove(formerId);
        }
        ObjectNode merged = (ObjectNode) Configuration.merge(shape, base, configuration);
        if (former != null) {
            List<FieldSet> owners = new ArrayList<>();
            managers.entries().values().forEach(entry -> owners.add(entry.fields()));
            owners.add(wanted);
            new Removal(owners).apply(shape, merged, former.fields());
        }
        Comparison comparison = Comparison.of(shape, base, merged);
        FieldSet taken = comparison.changed().copy();
        strip(taken);
        leaveWhatWasEmptied(merged, taken);
        resolve(managers, taken, force);
        release(managers, taken, comparison.removed(), own);
        boolean changed = !Equality.same(base, merged);
        String time = changed ? now : former == null ? "" : former.time();
        if (!wanted.isEmpty()) {
            managers.put(own, new Managers.Entry(wanted, time));
        }
        write(Json.child(merged, "metadata"), managers);
        return new Applied(merged, changed);
    }

    /** What was there before anybody applied belongs to a manager of its own. */
    private void beforeFirstApply(Shape shape, ObjectNode live, Managers managers) {
        FieldSet all =
                Comparison.of(shape, Shapes.blank(resource), live).changed().copy();
        new Ownership(resource, manager, "", now).strip(all);
        all.drop((top, below) -> resource.hasStatus() && top.equals("f:status") && below.isEmpty());
        managers.put(
                new Managers.Id("before-first-apply", "Update", resource.apiVersion(), ""),
                new Managers.Entry(all, now));
    }

    /** A null that the removal of all content left is nobody's wish. */
    private static void leaveWhatWasEmptied(ObjectNode merged, FieldSet taken) {
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

    private static void resolve(Managers managers, FieldSet taken, boolean force) {
        List<Conflict> conflicts = new ArrayList<>();
        managers.entries()
                .forEach((id, entry) -> entry.fields()
                        .intersection(taken)
                        .paths()
                        .forEach(path -> conflicts.add(new Conflict(id, Elements.shown(path)))));
        if (!conflicts.isEmpty() && !force) {
            throw Conflict.refuse(conflicts);
        }
    }

    private record Conflict(Managers.Id id, String field) {
        String words() {
            String how = id.applies() ? "" : " using " + id.apiVersion();
            if (!id.subresource().isEmpty()) {
                how = " with subresource \"" + id.subresource() + "\"" + how;
            }
            return "conflict with \"" + id.manager() + "\"" + how;
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
