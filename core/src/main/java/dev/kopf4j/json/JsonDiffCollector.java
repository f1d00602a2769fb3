package dev.kopf4j.json;

import dev.kopf4j.json.JsonDiff.Item;
import dev.kopf4j.json.JsonDiff.Operation;
import dev.kopf4j.json.JsonDiff.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Walks two trees at the same time, and collects what differs. Confined to one thread. */
final class JsonDiffCollector {
    private static final List<String> NONE = List.of();

    private final Scope scope;
    private final List<Item> items = new ArrayList<>();

    JsonDiffCollector(Scope scope) {
        this.scope = scope;
    }

    List<Item> items() {
        return items;
    }

    JsonDiffCollector collect(@Nullable JsonNode a, @Nullable JsonNode b, FieldPath path) {
        if (a == null || b == null || JsonEquality.isNothing(a) || JsonEquality.isNothing(b)) {
            collectOneSided(a, b, path);
        } else if (areObjects(a, b)) {
            collectKeys(a, b, path);
        } else if (!JsonEquality.equal(a, b)) {
            items.add(new Item(Operation.CHANGE, path, a, b));
        }
        return this;
    }

    private static boolean areObjects(JsonNode a, JsonNode b) {
        return a.isObject() && b.isObject();
    }

    private void collectOneSided(@Nullable JsonNode a, @Nullable JsonNode b, FieldPath path) {
        if (!JsonEquality.isNothing(b)) {
            items.add(new Item(Operation.ADD, path, null, b));
        } else if (!JsonEquality.isNothing(a)) {
            items.add(new Item(Operation.REMOVE, path, a, null));
        }
    }

    private void collectKeys(JsonNode a, JsonNode b, FieldPath path) {
        for (String key : scope == Scope.LEFT ? NONE : keysWithout(a, b)) {
            collectOneSided(null, b.get(key), path.append(key));
        }
        for (String key : scope == Scope.RIGHT ? NONE : keysWithout(b, a)) {
            collectOneSided(a.get(key), null, path.append(key));
        }
        for (String key : differing(a, b)) {
            collect(a.get(key), b.get(key), path.append(key));
        }
    }

    /** Returns the keys of a node that the other node does not have. */
    private static List<String> keysWithout(JsonNode other, JsonNode node) {
        List<String> keys = new ArrayList<>(0);
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!other.has(entry.getKey())) {
                keys.add(entry.getKey());
            }
        }
        return sorted(keys);
    }

    /** Returns the keys whose values may differ. Most values are equal, and need no path. */
    private static List<String> differing(JsonNode a, JsonNode b) {
        List<String> keys = new ArrayList<>(0);
        for (Map.Entry<String, JsonNode> entry : a.properties()) {
            JsonNode other = b.get(entry.getKey());
            if (other != null
                    && (areObjects(entry.getValue(), other) || !JsonEquality.equal(entry.getValue(), other))) {
                keys.add(entry.getKey());
            }
        }
        return sorted(keys);
    }

    private static List<String> sorted(List<String> keys) {
        if (keys.size() > 1) {
            keys.sort(null);
        }
        return keys;
    }
}
