package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said of single conditions of an object, the last word on each. All other conditions stay as they are in the
 * state that the changes are made to. Confined as the {@link PatchContent} that has it.
 */
public final class ConditionChanges {
    /** Nobody has said anything. */
    static final ConditionChanges NONE = new ConditionChanges();

    private static final String FIELD = "conditions";

    private final Map<String, ConditionChange> byType = new LinkedHashMap<>();

    ConditionChanges() {}

    /** True if nothing is said. */
    public boolean isEmpty() {
        return byType.isEmpty();
    }

    void add(ConditionChange change) {
        byType.put(change.type(), change);
    }

    void forget(String type) {
        byType.remove(type);
    }

    void addAll(ConditionChanges later) {
        later.byType.values().forEach(this::add);
    }

    void clear() {
        byType.clear();
    }

    /** The list of conditions in a status; empty if it has none. */
    private static ArrayNode listIn(ObjectNode body) {
        return body.path("status").get(FIELD) instanceof ArrayNode known
                ? known
                : Json.mapper().createArrayNode();
    }

    /** The conditions that an object has to get; null if it has them. */
    public @Nullable ArrayNode differenceTo(ObjectNode body) {
        ArrayNode before = listIn(body);
        ArrayNode after = Json.mapper().createArrayNode();
        Map<String, ConditionChange> left = new LinkedHashMap<>(byType);
        for (JsonNode each : before) {
            ConditionChange change = left.remove(each.path("type").asString(""));
            JsonNode changed = change != null && each instanceof ObjectNode condition ? change.after(condition) : each;
            if (changed != null) {
                after.add(changed);
            }
        }
        for (ConditionChange change : left.values()) {
            ObjectNode added = change.after(null);
            if (added != null) {
                after.add(added);
            }
        }
        return JsonEquality.equal(before, after) ? null : after;
    }

    /** Returns the object with the changes; shares unchanged nodes with it. */
    public ObjectNode madeTo(ObjectNode body) {
        ArrayNode conditions = byType.isEmpty() ? null : differenceTo(body);
        if (conditions == null) {
            return body;
        }
        ObjectNode changed = shallowCopy(body);
        ObjectNode status =
                body.get("status") instanceof ObjectNode known ? shallowCopy(known) : changed.putObject("status");
        status.set(FIELD, conditions);
        changed.set("status", status);
        return changed;
    }

    private static ObjectNode shallowCopy(ObjectNode object) {
        ObjectNode copy = object.objectNode();
        object.forEachEntry(copy::set);
        return copy;
    }
}
