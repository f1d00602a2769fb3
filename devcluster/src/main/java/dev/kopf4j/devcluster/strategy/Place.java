package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value within an object that is being checked, with the former value of the same path. Confined to one validation.
 */
public final class Place {
    private final ObjectDraft draft;
    private final @Nullable Place parent;
    private final String name;
    private final String segment;
    private final JsonNode now;
    private final JsonNode before;
    private final Map<Object, Set<String>> seen = new HashMap<>();

    private Place(
            ObjectDraft draft, @Nullable Place parent, String name, String segment, JsonNode now, JsonNode before) {
        this.draft = draft;
        this.parent = parent;
        this.name = name;
        this.segment = segment;
        this.now = now;
        this.before = before;
    }

    /** The whole object. */
    public static Place of(ObjectDraft draft) {
        JsonNode before = draft.before();
        return new Place(draft, null, "", "", draft.next(), before == null ? Json.missing() : before);
    }

    /** A value of an object that is shown by this path, without a former value. */
    public static Place of(ObjectDraft draft, JsonNode value, String path) {
        return new Place(draft, null, "", path, value, Json.missing());
    }

    /** A field, by its name in the object and the one that errors show; empty if they show none. */
    public Place field(String name, String shown) {
        return new Place(draft, this, name, shown.isEmpty() ? "" : "." + shown, now.path(name), before.path(name));
    }

    /** An element of an array, whose number errors may show. */
    public Place element(int index, boolean numbered) {
        return new Place(draft, this, "", numbered ? "[" + index + "]" : "", now.path(index), before.path(index));
    }

    /** The value of a key of a map. */
    public Place entry(String key) {
        return new Place(draft, this, key, "[" + key + "]", now.path(key), before.path(key));
    }

    /** The key of this entry, as a text that errors show in its place. */
    Place key() {
        return new Place(draft, this, "", "", JsonNodeFactory.instance.stringNode(name), Json.missing());
    }

    /** The name of the field, or the key of the entry; empty for others. */
    public String name() {
        return name;
    }

    /** The present value, or a missing node. */
    public JsonNode now() {
        return now;
    }

    /** The former value, or a missing node. */
    public JsonNode before() {
        return before;
    }

    /** The present text; empty if it is none. */
    public String text() {
        return now.isString() ? now.stringValue() : "";
    }

    /** The object on its way into the store. */
    public ObjectDraft draft() {
        return draft;
    }

    /** What this is in; the whole object is in itself. */
    public Place parent() {
        return parent == null ? this : parent;
    }

    /** The whole object. */
    Place root() {
        return parent == null ? this : parent.root();
    }

    /** True if the value is there. */
    public boolean isPresent() {
        return !now.isMissingNode() && !now.isNull();
    }

    /** The path as errors show it. */
    public String path() {
        String above = parent == null ? "" : parent.path();
        return above.isEmpty() && segment.startsWith(".") ? segment.substring(1) : above + segment;
    }

    /** The value as errors show it. */
    String shown() {
        return now.isString()
                ? FieldError.quote(now.stringValue())
                : isPresent() ? now.isContainer() ? Json.text(now) : now.asString() : "\"\"";
    }

    /** The object that this is, made if it is missing. */
    ObjectNode made() {
        if (now instanceof ObjectNode object) {
            return object;
        }
        return parent == null ? Json.object() : Json.child(parent.made(), name);
    }

    /** Sets the value. */
    void put(JsonNode value) {
        if (parent != null) {
            parent.made().set(name, value.deepCopy());
        }
    }

    /** Removes the value. */
    void drop() {
        if (parent != null && parent.now instanceof ObjectNode object) {
            object.remove(name);
        }
    }

    /** Whether a rule meets this value for the second time within an outer place. */
    boolean isRepeated(Place within, Object rule) {
        return within.hasSeen(rule, shown());
    }

    /** Whether a rule has met a text within this place; it does not count as met by this question. */
    public boolean hasMet(Object rule, String text) {
        return seen.getOrDefault(rule, Set.of()).contains(text);
    }

    /** Whether a rule has met a text within this place before. */
    public boolean hasSeen(Object rule, String text) {
        return !seen.computeIfAbsent(rule, key -> new HashSet<>()).add(text);
    }

    /** The innermost array around this value. */
    public Place array() {
        Place array = this.parent();
        while (array.parent != null && !array.now.isArray()) {
            array = array.parent;
        }
        return array;
    }
}
