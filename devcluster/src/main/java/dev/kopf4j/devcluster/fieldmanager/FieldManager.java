package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.fieldmanager.ManagedFields.ManagerKey;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records in managedFields who owns which field, for one write of one object. Follows
 * {@code pkg/util/managedfields/internal/fieldmanager.go} of apimachinery, v1.33.
 *
 * @param manager who writes
 * @param subresource the endpoint that is written through; empty for the object itself
 * @param now the time of the write
 */
public record FieldManager(Resource resource, String manager, String subresource, String now) {
    private static final String EACH = "[]";

    private ManagerKey key(String operation) {
        return new ManagerKey(manager, operation, resource.apiVersion(), subresource);
    }

    private IgnoredFields ignored() {
        return new IgnoredFields(resource, subresource);
    }

    /**
     * Records a new object that was not applied: the writer owns all of it but the fields that the server assigns.
     *
     * @param sent what the client sent
     * @param next what is stored; its managedFields are set
     */
    public void recordCreation(ObjectNode sent, ObjectNode next) {
        ObjectNode owned = next;
        if (!resource.resourceTraits().serverAssignedFields().isEmpty()) {
            owned = next.deepCopy();
            for (String path : resource.resourceTraits().serverAssignedFields()) {
                restoreSent(path, owned, sent);
            }
        }
        recordUpdate(Json.object(), owned);
        ManagedFields.copy(owned, next);
    }

    /**
     * Records a write that is no apply: the writer owns what it changed, others lose it.
     *
     * @param before the stored object; empty if it is new
     * @param next what is stored; its managedFields are set
     */
    public void recordUpdate(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = Json.child(next, "metadata");
        JsonNode sent = metadata.path("managedFields");
        boolean isNew = before.isEmpty();
        ManagedFields owners = sent.isArray() ? ManagedFields.parse(sent) : ManagedFields.of(before);
        if (isReset(sent) || (owners.isEmpty() && !isNew)) {
            metadata.remove("managedFields");
            return;
        }
        FieldComparison comparison =
                FieldComparison.of(MergeSchemas.of(resource), isNew ? MergeSchemas.blank(resource) : before, next);
        FieldSet taken = comparison.changed().copy();
        ignored().removeFrom(taken);
        owners.take(key("Update"), taken, comparison.removed());
        owners.add(key("Update"), taken, now);
        owners.writeTo(metadata);
    }

    /** An empty list, or one empty entry, gives up the tracking. */
    private static boolean isReset(JsonNode sent) {
        return sent instanceof ArrayNode array
                && (array.isEmpty() || (array.size() == 1 && array.get(0).isEmpty()));
    }

    /** The result of an apply. */
    public record Applied(ObjectNode object, boolean changed) {}

    /**
     * Merges a configuration into an object; 409 with all conflicts if others own what it changes, unless forced.
     *
     * @param live the present object, empty if there is none
     */
    public Applied apply(ObjectNode live, ObjectNode configuration, boolean force) {
        return new ServerSideApply(resource, ignored(), key("Apply"), now).apply(live, configuration, force);
    }

    /**
     * Sets the value at a dotted path to what was sent there, because nobody owns the fields that the server sets
     * itself; {@code name[]} is each element of a list.
     */
    private static void restoreSent(String path, JsonNode object, JsonNode sent) {
        int dot = path.indexOf('.');
        if (!(object instanceof ObjectNode target)) {
            return;
        }
        if (dot < 0) {
            leave(target, path, sent.get(path));
            return;
        }
        String first = path.substring(0, dot);
        String rest = path.substring(dot + 1);
        if (!first.endsWith(EACH)) {
            restoreSent(rest, target.path(first), sent.path(first));
        } else if (target.get(first.substring(0, first.length() - EACH.length())) instanceof ArrayNode array) {
            JsonNode before = sent.path(first.substring(0, first.length() - EACH.length()));
            for (int index = 0; index < array.size(); index++) {
                restoreSent(rest, array.get(index), before.has(index) ? before.get(index) : Json.missing());
            }
        }
    }

    private static void leave(ObjectNode target, String name, @Nullable JsonNode value) {
        if (value == null) {
            target.remove(name);
        } else {
            target.set(name, value.deepCopy());
        }
    }
}
