package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fields that the server sets itself. They are reset to what the client sent before ownership is recorded, so that
 * nobody owns them. Pure.
 */
final class ServerAssignedFields {
    private static final String EACH = "[]";

    private ServerAssignedFields() {}

    /** Sets the value at a dotted path to what was sent there; {@code name[]} is each element of a list. */
    static void restoreSent(String path, JsonNode object, JsonNode sent) {
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
