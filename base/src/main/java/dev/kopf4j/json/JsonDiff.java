package dev.kopf4j.json;

import dev.kopf4j.json.JsonDiff.Item;
import dev.kopf4j.json.JsonDiff.Operation;
import dev.kopf4j.json.JsonDiff.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The differences between two documents, field by field. Lists are compared as a whole, and so are values of different
 * kinds. A subtree that appears or vanishes is one item. Numbers are compared by value; null is the same as absent.
 *
 * <p>Immutable, as long as nobody changes the compared documents, whose nodes it shares.
 *
 * @param items the differences: on each level the added keys first, then the removed ones, then the changed ones, each
 *     in the order of their names. So the same difference reads the same, however servers and patches order the keys
 */
public record JsonDiff(List<Item> items) {
    private static final JsonDiff EMPTY = new JsonDiff(List.of());

    /** Keeps an immutable copy of the items. */
    public JsonDiff {
        items = List.copyOf(items);
    }

    /** What happened to a field. */
    public enum Operation {
        /** The left side has no value, the right side has one. */
        ADD,
        /** Both sides have a value, and the values differ. */
        CHANGE,
        /** The left side has a value, the right side has none. */
        REMOVE
    }

    /** Which keys of objects are compared. */
    public enum Scope {
        /** The keys of both sides. */
        FULL,
        /** The keys of the left side: additions on the right are left out. */
        LEFT,
        /** The keys of the right side: removals there are left out. */
        RIGHT
    }

    /**
     * One difference.
     *
     * @param operation the kind of the difference
     * @param field the path of the field
     * @param oldValue the left value; null for an addition
     * @param newValue the right value; null for a removal
     */
    public record Item(
            Operation operation,
            FieldPath field,
            @Nullable JsonNode oldValue,
            @Nullable JsonNode newValue) {

        /** Compares values by meaning: 1 equals 1.0. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Item(Operation otherOp, FieldPath otherField, JsonNode otherOld, JsonNode otherNew)
                    && operation == otherOp
                    && field.equals(otherField)
                    && JsonEquality.equal(oldValue, otherOld)
                    && JsonEquality.equal(newValue, otherNew);
        }

        @Override
        public int hashCode() {
            return 31 * operation.hashCode() + field.hashCode();
        }

        /** Shows the item as Kopf logs it: {@code ('change', ('spec', 'field'), 'a', 'b')}. */
        @Override
        public String toString() {
            return PythonRepr.item(this);
        }
    }

    /** Compares the keys of both sides. */
    public static JsonDiff between(@Nullable JsonNode a, @Nullable JsonNode b) {
        return between(a, b, Scope.FULL);
    }

    /** Compares the keys of one side or of both. Mostly nothing differs, and one quick pass finds that out. */
    public static JsonDiff between(@Nullable JsonNode a, @Nullable JsonNode b, Scope scope) {
        boolean same = switch (scope) {
            case FULL -> JsonEquality.equal(a, b);
            case LEFT -> JsonEquality.contains(b, a);
            case RIGHT -> JsonEquality.contains(a, b);
        };
        return same ? EMPTY : of(new JsonDiffCollector(scope).collect(a, b, FieldPath.ROOT));
    }

    private static JsonDiff of(JsonDiffCollector collected) {
        return collected.items().isEmpty() ? EMPTY : new JsonDiff(collected.items());
    }

    /**
     * Returns the differences of one field, with paths relative to it: the items inside the field, and the field's part
     * of the items that contain it.
     */
    public JsonDiff reduce(FieldPath path) {
        if (path.keys().isEmpty()) {
            return this;
        }
        List<Item> reduced = new ArrayList<>();
        for (Item item : items) {
            if (item.field().startsWith(path)) {
                reduced.add(
                        new Item(item.operation(), item.field().relativeTo(path), item.oldValue(), item.newValue()));
            } else if (path.startsWith(item.field())) {
                FieldPath tail = path.relativeTo(item.field());
                JsonDiffCollector inside = new JsonDiffCollector(Scope.FULL);
                inside.collect(tail.resolve(item.oldValue()), tail.resolve(item.newValue()), FieldPath.ROOT);
                reduced.addAll(inside.items());
            }
        }
        return new JsonDiff(reduced);
    }

    /** True if there is no difference. */
    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** Shows the items as Kopf logs them: a Python tuple of tuples. So the logs of both can be searched alike. */
    @Override
    public String toString() {
        return items.stream()
                .map(Item::toString)
                .collect(Collectors.joining(", ", "(", items.size() == 1 ? ",)" : ")"));
    }

    /** Walks two trees at the same time, and collects what differs. Confined to one thread. */
    private static final class JsonDiffCollector {
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
}
