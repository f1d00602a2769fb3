package dev.kopf4j.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies, joins and makes JSON merge patches (RFC 7386). Pure functions, but for what changes its argument. */
public final class MergePatch {
    private MergePatch() {}

    /** Returns a new tree: the target with the patch applied. It shares no nodes with the arguments. */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        ObjectNode patched = target.deepCopy();
        applyInto(patched, patch);
        return patched;
    }

    /**
     * Changes the target as the library that Kubernetes uses (evanphx/json-patch) does: null removes, objects merge,
     * all else replaces, without the nulls in its objects. No nodes are shared with the patch.
     */
    public static void applyInto(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                target.remove(entry.getKey());
            } else if (value instanceof ObjectNode object && target.get(entry.getKey()) instanceof ObjectNode present) {
                applyInto(present, object);
            } else {
                target.set(entry.getKey(), withoutNulls(value.deepCopy()));
            }
        }
    }

    private static JsonNode withoutNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
            object.forEach(MergePatch::withoutNulls);
        } else if (value instanceof ArrayNode array) {
            array.forEach(MergePatch::withoutNulls);
        }
        return value;
    }

    /**
     * Returns the target with the patch applied. Only the nodes that the patch touches are copied; the others are
     * shared with the target, so neither may be changed from now on. Nothing is shared with the patch. Sorted keys stay
     * sorted, as API servers sort the keys of custom resources, labels and annotations.
     */
    public static ObjectNode overlay(ObjectNode target, ObjectNode patch) {
        ObjectNode patched = target.objectNode();
        target.forEachEntry(patched::set);
        boolean hasMore = false;
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getValue().isNull()) {
                patched.remove(entry.getKey());
                continue;
            }
            hasMore |= !target.has(entry.getKey());
            patched.set(
                    entry.getKey(),
                    entry.getValue() instanceof ObjectNode nested
                            ? overlay(objectOrNew(target, entry.getKey()), nested)
                            : withoutNulls(entry.getValue().deepCopy()));
        }
        return hasMore && isSorted(target) && !isSorted(patched) ? SortedKeys.ofTopLevel(patched) : patched;
    }

    private static ObjectNode objectOrNew(ObjectNode target, String key) {
        return target.get(key) instanceof ObjectNode object ? object : target.objectNode();
    }

    private static boolean isSorted(ObjectNode object) {
        String last = "";
        for (String key : object.propertyNames()) {
            if (key.compareTo(last) < 0) {
                return false;
            }
            last = key;
        }
        return true;
    }

    /**
     * True if both patches can be joined into one that has the effect of both, one after the other; {@link #mergeInto}
     * says which ones cannot.
     */
    public static boolean canJoin(ObjectNode earlierPatch, ObjectNode laterPatch) {
        for (Map.Entry<String, JsonNode> entry : laterPatch.properties()) {
            JsonNode earlier = earlierPatch.get(entry.getKey());
            if (entry.getValue() instanceof ObjectNode later
                    && earlier != null
                    && !(earlier instanceof ObjectNode object && canJoin(object, later))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Joins a later patch into an earlier one, which is changed, so that one request has the effect of both. The later
     * value wins. Nulls are kept, because they delete.
     *
     * <p>A merge patch cannot say "replace whatever is there by this object". So there is one exception: if the earlier
     * patch deletes a field or sets it to something that is not an object, and the later one sets fields inside it,
     * then the joined patch sets them inside of what the target has.
     */
    public static void mergeInto(ObjectNode accumulated, ObjectNode laterPatch) {
        for (Map.Entry<String, JsonNode> entry : laterPatch.properties()) {
            if (entry.getValue() instanceof ObjectNode later
                    && accumulated.get(entry.getKey()) instanceof ObjectNode earlier) {
                mergeInto(earlier, later);
            } else {
                accumulated.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
    }

    /** Takes a patch back where the target still has what it says: the target gets what was there before. */
    public static void undo(ObjectNode patch, ObjectNode target, ObjectNode before) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String key = entry.getKey();
            JsonNode found = target.get(key);
            JsonNode earlier = before.get(key);
            if (entry.getValue() instanceof ObjectNode inner && found instanceof ObjectNode nested) {
                undo(inner, nested, earlier instanceof ObjectNode object ? object : Json.object());
                if (nested.isEmpty() && earlier == null) {
                    target.remove(key);
                }
            } else if (JsonEquality.equal(found, entry.getValue())) {
                if (earlier == null) {
                    target.remove(key);
                } else {
                    target.set(key, earlier.deepCopy());
                }
            }
        }
    }

    /** Removes from a patch what a part of it says: its fields, and the objects that are empty without them. */
    public static void remove(ObjectNode part, ObjectNode whole) {
        for (Map.Entry<String, JsonNode> entry : part.properties()) {
            if (entry.getValue() instanceof ObjectNode inner && whole.get(entry.getKey()) instanceof ObjectNode below) {
                remove(inner, below);
                if (!below.isEmpty()) {
                    continue;
                }
            }
            whole.remove(entry.getKey());
        }
    }

    /**
     * Returns the patch that leads from one object to another, for the fields that the wanted object has; null stands
     * for a field that is to go. Its other fields are left alone, but below the first level, fields that are not wanted
     * are removed.
     */
    public static ObjectNode difference(ObjectNode actual, ObjectNode wanted) {
        return difference(actual, wanted, true);
    }

    /** Returns the same, but what is not wanted is left alone below the first level, too: only null removes. */
    public static ObjectNode addition(ObjectNode actual, ObjectNode wanted) {
        return difference(actual, wanted, false);
    }

    private static ObjectNode difference(ObjectNode actual, ObjectNode wanted, boolean removesBelow) {
        ObjectNode patch = Json.object();
        wanted.forEachEntry((key, value) -> add(patch, key, actual.get(key), value, removesBelow));
        return patch;
    }

    private static void add(
            ObjectNode patch, String key, @Nullable JsonNode actual, JsonNode wanted, boolean removesBelow) {
        if (wanted.isNull()) {
            if (actual != null && !actual.isNull()) {
                patch.putNull(key);
            }
        } else if (wanted instanceof ObjectNode object && actual instanceof ObjectNode before) {
            ObjectNode nested = difference(before, object, removesBelow);
            if (removesBelow) {
                removeOthers(before, object, nested);
            }
            if (!nested.isEmpty()) {
                patch.set(key, nested);
            }
        } else if (!JsonEquality.equal(actual, wanted)) {
            // Only in objects of a merge patch does null remove; in lists, schemas would refuse it.
            patch.set(key, withoutNulls(wanted.deepCopy()));
        }
    }

    private static void removeOthers(ObjectNode actual, ObjectNode wanted, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : actual.properties()) {
            if (!wanted.has(entry.getKey()) && !entry.getValue().isNull()) {
                patch.putNull(entry.getKey());
            }
        }
    }
}
