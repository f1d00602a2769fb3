package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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

    /** The body of an object of which nothing else is known. */
    public ObjectNode identity() {
        ObjectNode body = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = body.putObject("metadata").put("name", name);
        if (namespace != null) {
            metadata.put("namespace", namespace);
        }
        metadata.put("uid", uid);
        return body;
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

    /**
     * A uid that is kept for as long as an object exists: as a text it takes more than twice as much memory. Immutable.
     *
     * @param high the first half of a UUID
     * @param low its second half
     * @param text what is no UUID as servers write it; null for all others
     */
    public record CompactUid(long high, long low, @Nullable String text) {
        private static final int LENGTH = 36;

        /** The same uid: servers may choose any text. */
        public static CompactUid of(String uid) {
            if (uid.length() == LENGTH && dash(uid, 8) && dash(uid, 13) && dash(uid, 18) && dash(uid, 23)) {
                long first = number(uid, 0, 8);
                long second = number(uid, 9, 13);
                long third = number(uid, 14, 18);
                long fourth = number(uid, 19, 23);
                long fifth = number(uid, 24, LENGTH);
                if ((first | second | third | fourth | fifth) >= 0) {
                    return new CompactUid(first << 32 | second << 16 | third, fourth << 48 | fifth, null);
                }
            }
            return new CompactUid(0, 0, uid);
        }

        private static boolean dash(String uid, int index) {
            return uid.charAt(index) == '-';
        }

        /** The number in lower-case hexadecimal digits, twelve at the most; negative if it is none. */
        private static long number(String uid, int from, int to) {
            long number = 0;
            for (int i = from; i < to; i++) {
                char c = uid.charAt(i);
                int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
                number = number << 4 | digit; // once it is negative, it stays so
            }
            return number;
        }

        /** Written out, as it is asked for with each event: what records have by themselves takes longer at first. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CompactUid uid
                    && high == uid.high
                    && low == uid.low
                    && Objects.equals(text, uid.text);
        }

        @Override
        public int hashCode() {
            return text == null ? Long.hashCode(high) * 31 + Long.hashCode(low) : text.hashCode();
        }

        /** The text. */
        @Override
        public String toString() {
            return text == null ? new UUID(high, low).toString() : text;
        }
    }
}
