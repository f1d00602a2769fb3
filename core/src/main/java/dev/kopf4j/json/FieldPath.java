package dev.kopf4j.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a field is in a document: the keys of the objects on the way to it. Lists are never entered.
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

    /** Splits at each dot; there is no escaping. Keys that have dots themselves need {@link #of}. Empty is the root. */
    public static FieldPath parse(@Nullable String dotted) {
        return dotted == null || dotted.isEmpty() ? ROOT : of(dotted.split("\\.", -1));
    }

    /** Takes the keys as they are, dots included. */
    public static FieldPath of(String... keys) {
        return new FieldPath(List.of(keys));
    }

    /** Answers the value, or null if it is absent, JSON null, or would be inside of something that is not an object. */
    public @Nullable JsonNode resolve(@Nullable JsonNode root) {
        JsonNode found = root;
        for (int depth = 0; depth < keys.size() && found != null; depth++) {
            found = found.get(keys.get(depth));
        }
        return JsonEquality.isNothing(found) ? null : found;
    }

    /** Tells whether the key itself is there, be its value null or not. */
    public boolean isPresentIn(JsonNode root) {
        JsonNode parent = root;
        for (int depth = 0; depth < keys.size() - 1 && parent != null; depth++) {
            parent = parent.get(keys.get(depth));
        }
        return keys.isEmpty() || (parent != null && parent.has(last()));
    }

    /**
     * Sets the value in the given tree; objects on the way are made where there is nothing or null.
     *
     * @throws IllegalArgumentException for the root, or if something on the way is neither an object nor null
     */
    public void ensure(ObjectNode root, JsonNode value) {
        requireNotRoot("cannot set the root of a document; name a field");
        ObjectNode parent = root;
        for (String key : keys.subList(0, keys.size() - 1)) {
            parent = step(parent, key);
        }
        parent.set(last(), value);
    }

    /**
     * Removes the field from the given tree, and then the objects on the way to it that are empty, also if the field
     * was absent before. Nothing happens where the way leads through something that is not an object.
     *
     * @throws IllegalArgumentException for the root
     */
    public void remove(ObjectNode root) {
        requireNotRoot("cannot remove the root of a document; name a field");
        remove(root, 0);
    }

    /** Tells whether this field is the other one or inside of it. */
    public boolean startsWith(FieldPath other) {
        return keys.size() >= other.keys.size()
                && keys.subList(0, other.keys.size()).equals(other.keys);
    }

    /**
     * Answers the rest of the way from the other field, which must be this one or contain it.
     *
     * @throws IllegalArgumentException if it does not
     */
    public FieldPath relativeTo(FieldPath other) {
        if (!startsWith(other)) {
            throw new IllegalArgumentException("field " + this + " is not inside of " + other);
        }
        return new FieldPath(keys.subList(other.keys.size(), keys.size()));
    }

    /** Answers the field of that key inside of this one; dots in the key are a part of the key. */
    public FieldPath append(String key) {
        String[] longer = keys.toArray(new String[keys.size() + 1]);
        longer[keys.size()] = key;
        return of(longer);
    }

    /** Answers that field inside of this one. */
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

    /** Answers the keys joined by dots; an empty string for the root. */
    @Override
    public String toString() {
        return String.join(".", keys);
    }

    private String last() {
        return keys.getLast();
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
