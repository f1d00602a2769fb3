package dev.kopf4j.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The path of a field in a document: the keys of the objects on the way to it. Paths do not lead into lists.
 *
 * <p>Immutable.
 *
 * @param keys the keys from the root on; none for the root itself
 */
public record FieldPath(List<String> keys) {
    /** The whole document. */
    public static final FieldPath ROOT = new FieldPath(List.of());

    /** Keeps an immutable copy of the keys. */
    public FieldPath {
        keys = List.copyOf(keys);
    }

    /** Splits a text at each dot, without escaping. Keys with dots need {@link #of}. An empty text is the root. */
    public static FieldPath parse(@Nullable String dotted) {
        return dotted == null || dotted.isEmpty() ? ROOT : of(dotted.split("\\.", -1));
    }

    /** Takes the keys as they are, dots included. */
    public static FieldPath of(String... keys) {
        return new FieldPath(List.of(keys));
    }

    /** Returns the value; null if it is absent, JSON null, or below something that is not an object. */
    public @Nullable JsonNode resolve(@Nullable JsonNode root) {
        JsonNode found = find(root);
        return JsonEquality.isNothing(found) ? null : found;
    }

    /** Returns what stands there, also JSON null; null if it is absent, or below something that is not an object. */
    public @Nullable JsonNode find(@Nullable JsonNode root) {
        JsonNode found = root;
        for (int depth = 0; depth < keys.size() && found != null; depth++) {
            found = found.get(keys.get(depth));
        }
        return found;
    }

    /** Returns whether the key is present, even if its value is null. */
    public boolean isPresentIn(JsonNode root) {
        return find(root) != null;
    }

    /**
     * Sets the value in the given tree. Absent objects on the way are made, as are those that are null.
     *
     * @throws IllegalArgumentException for the root, or if something on the way is neither an object nor null
     */
    public void ensure(ObjectNode root, JsonNode value) {
        requireNotRoot("cannot set the root of a document; name a field");
        ObjectNode parent = root;
        for (int depth = 0; depth < keys.size() - 1; depth++) {
            parent = step(parent, keys.get(depth));
        }
        parent.set(keys.getLast(), value);
    }

    /**
     * Removes the field from the given tree, and then the objects on the way to it that are empty, even if the field
     * was absent before. Nothing happens if something on the way is not an object.
     *
     * @throws IllegalArgumentException for the root
     */
    public void remove(ObjectNode root) {
        requireNotRoot("cannot remove the root of a document; name a field");
        remove(root, 0);
    }

    /** Returns whether this field is the other one, or inside it. */
    public boolean startsWith(FieldPath other) {
        return keys.size() >= other.keys.size()
                && keys.subList(0, other.keys.size()).equals(other.keys);
    }

    /**
     * Returns the path from the other field to this one; the other field must be this one or contain it.
     *
     * @throws IllegalArgumentException if it does not
     */
    public FieldPath relativeTo(FieldPath other) {
        if (!startsWith(other)) {
            throw new IllegalArgumentException("field " + this + " is not inside of " + other);
        }
        return new FieldPath(keys.subList(other.keys.size(), keys.size()));
    }

    /** Returns the path of a key inside this field. Dots in the key are part of the key. */
    public FieldPath append(String key) {
        String[] longer = keys.toArray(new String[keys.size() + 1]);
        longer[keys.size()] = key;
        return of(longer);
    }

    /** Returns the path of another field inside this field. */
    public FieldPath append(FieldPath other) {
        List<String> longer = new ArrayList<>(keys);
        longer.addAll(other.keys);
        return new FieldPath(longer);
    }

    /** Returns this path; throws {@link IllegalArgumentException} with the message if it is the root. */
    public FieldPath requireNotRoot(String message) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(message);
        }
        return this;
    }

    /** Returns the keys joined by dots; an empty string for the root. */
    @Override
    public String toString() {
        return String.join(".", keys);
    }

    private ObjectNode step(ObjectNode parent, String key) {
        JsonNode next = parent.get(key);
        if (JsonEquality.isNothing(next)) {
            return parent.putObject(key);
        }
        if (next instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException(
                "cannot set field " + this + ": expected an object in " + key + ", but found " + ValueExcerpt.of(next));
    }

    private void remove(ObjectNode parent, int depth) {
        String key = keys.get(depth);
        if (depth == keys.size() - 1) {
            parent.remove(key);
        } else if (parent.get(key) instanceof ObjectNode child) {
            remove(child, depth + 1);
            if (child.isEmpty()) {
                parent.remove(key);
            }
        }
    }
}
