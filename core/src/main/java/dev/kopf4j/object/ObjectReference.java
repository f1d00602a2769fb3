package dev.kopf4j.object;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A reference to an object: the fields that owner references, events and log lines name it by. Immutable.
 *
 * @param apiVersion its {@code apiVersion}; null if it has none, as with all that follow
 * @param kind its kind
 * @param name its name
 * @param uid its uid
 * @param namespace its namespace; null if it is cluster-scoped
 */
public record ObjectReference(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String name,
        @Nullable String uid,
        @Nullable String namespace) {
    /** Reads the reference from the tree of an object. */
    public static ObjectReference of(JsonNode body) {
        JsonNode meta = body.path("metadata");
        return new ObjectReference(
                text(body, "apiVersion"),
                text(body, "kind"),
                text(meta, "name"),
                text(meta, "uid"),
                text(meta, "namespace"));
    }

    private static @Nullable String text(JsonNode parent, String key) {
        JsonNode found = parent.get(key);
        String text = found == null ? "" : found.asString("");
        return text.isEmpty() ? null : text;
    }

    /** Names the object in messages: {@code KopfExample default/x}. */
    public String describe() {
        return (kind == null ? "object" : kind) + " " + this;
    }

    /** Names the object in log prefixes: {@code default/x}, or {@code x}. */
    @Override
    public String toString() {
        String shown = name == null ? "(no name)" : name;
        return namespace == null ? shown : namespace + "/" + shown;
    }
}
