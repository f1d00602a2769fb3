package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conditions in a status ({@code status.conditions}). Pure. */
public final class StatusConditions {
    private StatusConditions() {}

    /** The condition of a type. */
    public static Optional<JsonNode> find(JsonNode status, String type) {
        return Json.items(status, "conditions")
                .filter(condition -> Json.string(condition, "type").equals(type))
                .findFirst();
    }

    /** Whether the condition of a type is True. */
    public static boolean isTrue(JsonNode status, String type) {
        return find(status, type)
                .map(condition -> Json.string(condition, "status").equals("True"))
                .orElse(false);
    }

    /**
     * Sets a condition; its transition time changes only if its status does.
     *
     * @param reason empty for none, like the message
     * @return the condition
     */
    public static ObjectNode set(
            ObjectNode status, String type, boolean truth, String reason, String message, String now) {
        ArrayNode conditions = Json.list(status, "conditions");
        ObjectNode condition = find(status, type).map(ObjectNode.class::cast).orElseGet(conditions::addObject);
        String word = truth ? "True" : "False";
        if (!Json.string(condition, "status").equals(word)) {
            condition.put("lastTransitionTime", now);
        }
        condition.put("type", type).put("status", word);
        put(condition, "reason", reason);
        put(condition, "message", message);
        return condition;
    }

    /** Removes the condition of a type; a list without any goes. */
    public static void remove(ObjectNode status, String type) {
        if (find(status, type).isEmpty()) {
            return;
        }
        ArrayNode others = Json.array();
        for (JsonNode condition : status.path("conditions")) {
            if (!Json.string(condition, "type").equals(type)) {
                others.add(condition);
            }
        }
        if (others.isEmpty()) {
            status.remove("conditions");
        } else {
            status.set("conditions", others);
        }
    }

    private static void put(ObjectNode condition, String field, String text) {
        if (text.isEmpty()) {
            condition.remove(field);
        } else {
            condition.put(field, text);
        }
    }
}
