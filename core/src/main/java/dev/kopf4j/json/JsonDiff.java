package dev.kopf4j.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What differs between two documents, field by field. Lists are compared as a whole, and so are values of different
 * kinds; a subtree that appears or vanishes is one item. Numbers are compared by value; null is the same as absent.
 *
 * <p>Immutable, as long as nobody changes the nodes, which are those of the compared documents.
 *
 * @param items added keys first, then removed, then changed ones, on each level in the order of their names: the same
 *     difference is told in the same way, however servers and patches have ordered the keys
 */
public record JsonDiff(List<Item> items) {
    private static final JsonDiff EMPTY = new JsonDiff(List.of());
    private static final List<String> NONE = List.of();

    /** Keeps an immutable copy of the items. */
    public JsonDiff {
        items = List.copyOf(items);
    }

    /** What happened to a field. */
    public enum Operation {
        /** There was nothing, and there is a value. */
        ADD,
        /** There is another value than before. */
        CHANGE,
        /** There was a value, and there is nothing. */
        REMOVE
    }

    /** Which keys of objects count; it does not matter for the documents as a whole. */
    public enum Scope {
        /** Those of both sides. */
        FULL,
        /** Those of the left side: what was added on the right is of no interest. */
        LEFT,
        /** Those of the right side: what was removed there is of no interest. */
        RIGHT
    }

    /**
     * One difference.
     *
     * @param operation what happened
     * @param field where
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

    /** Compares in full. */
    public static JsonDiff between(@Nullable JsonNode a, @Nullable JsonNode b) {
        return between(a, b, Scope.FULL);
    }

    /** Compares the keys of one side or both. Mostly nothing differs, which is told in one pass. */
    public static JsonDiff between(@Nullable JsonNode a, @Nullable JsonNode b, Scope scope) {
        boolean same = switch (scope) {
            case FULL -> JsonEquality.equal(a, b);
            case LEFT -> JsonEquality.contains(b, a);
            case RIGHT -> JsonEquality.contains(a, b);
        };
        return same ? EMPTY : collected(a, b, scope);
    }

    private static JsonDiff collected(@Nullable JsonNode a, @Nullable JsonNode b, Scope scope) {
        List<Item> items = new ArrayList<>();
        collect(a, b, FieldPath.ROOT, scope, items);
        return items.isEmpty() ? EMPTY : new JsonDiff(items);
    }

    /**
     * Answers what the difference means for one field, with paths relative to it: items inside of the field, and the
     * field's part of items that contain it.
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
                collect(
                        tail.resolve(item.oldValue()),
                        tail.resolve(item.newValue()),
                        FieldPath.ROOT,
                        Scope.FULL,
                        reduced);
            }
        }
        return new JsonDiff(reduced);
    }

    /** Tells whether there is no difference. */
    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** Shows the items as Kopf logs them, so that logs of both can be searched alike: a Python tuple of tuples. */
    @Override
    public String toString() {
        return items.stream()
                .map(Item::toString)
                .collect(Collectors.joining(", ", "(", items.size() == 1 ? ",)" : ")"));
    }

    private static void collect(
            @Nullable JsonNode a, @Nullable JsonNode b, FieldPath path, Scope scope, List<Item> items) {
        if (a == null || b == null || JsonEquality.isNothing(a) || JsonEquality.isNothing(b)) {
            collectOneSided(a, b, path, items);
        } else if (areObjects(a, b)) {
            collectKeys(a, b, path, scope, items);
        } else if (!JsonEquality.equal(a, b)) {
            items.add(new Item(Operation.CHANGE, path, a, b));
        }
    }

    private static boolean areObjects(JsonNode a, JsonNode b) {
        return a.isObject() && b.isObject();
    }

    private static void collectOneSided(@Nullable JsonNode a, @Nullable JsonNode b, FieldPath path, List<Item> items) {
        if (!JsonEquality.isNothing(b)) {
            items.add(new Item(Operation.ADD, path, null, b));
        } else if (!JsonEquality.isNothing(a)) {
            items.add(new Item(Operation.REMOVE, path, a, null));
        }
    }

    private static void collectKeys(JsonNode a, JsonNode b, FieldPath path, Scope scope, List<Item> items) {
        for (String key : scope == Scope.LEFT ? NONE : keysWithout(a, b)) {
            collectOneSided(null, b.get(key), path.append(key), items);
        }
        for (String key : scope == Scope.RIGHT ? NONE : keysWithout(b, a)) {
            collectOneSided(a.get(key), null, path.append(key), items);
        }
        for (String key : differing(a, b)) {
            collect(a.get(key), b.get(key), path.append(key), scope, items);
        }
    }

    /** Those that the other one does not have. */
    private static List<String> keysWithout(JsonNode other, JsonNode node) {
        List<String> keys = new ArrayList<>(0);
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!other.has(entry.getKey())) {
                keys.add(entry.getKey());
            }
        }
        return sorted(keys);
    }

    /** Most are equal: a path is made only on the way to what may not be. */
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
