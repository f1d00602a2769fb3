package dev.kopf4j.object;

import java.util.UUID;
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

    /**
     * A uid that is kept for as long as an object exists: as a text it takes more than twice as much memory. Immutable.
     *
     * @param high the first half of a UUID
     * @param low its second half
     * @param text what is no UUID as servers write it; null for all others
     */
    public record CompactUid(long high, long low, @Nullable String text) {
        private static final int LENGTH = 36;
        private static final int MIDDLE = 18;

        /** The same uid: servers may choose any text. */
        public static CompactUid of(String uid) {
            long high = 0;
            long low = 0;
            for (int i = 0; i < LENGTH; i++) {
                char c = uid.length() == LENGTH ? uid.charAt(i) : ' ';
                boolean dash = i == 8 || i == 13 || i == MIDDLE || i == 23;
                int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
                if (dash ? c != '-' : digit < 0) {
                    return new CompactUid(0, 0, uid);
                }
                if (!dash && i < MIDDLE) {
                    high = high << 4 | digit;
                } else if (!dash) {
                    low = low << 4 | digit;
                }
            }
            return new CompactUid(high, low, null);
        }

        /** The text. */
        @Override
        public String toString() {
            return text == null ? new UUID(high, low).toString() : text;
        }
    }
}
