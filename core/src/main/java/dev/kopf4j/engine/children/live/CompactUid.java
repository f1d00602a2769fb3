package dev.kopf4j.engine.children.live;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A uid that is kept for as long as an object exists: as a text it takes more than twice as much memory. Immutable.
 *
 * @param high the first half of a UUID
 * @param low its second half
 * @param text what is no UUID as servers write it; null for all others
 */
record CompactUid(long high, long low, @Nullable String text) {
    private static final int LENGTH = 36;

    static CompactUid of(String uid) {
        UUID parsed = uid.length() == LENGTH ? parsed(uid) : null;
        return parsed != null && parsed.toString().equals(uid)
                ? new CompactUid(parsed.getMostSignificantBits(), parsed.getLeastSignificantBits(), null)
                : new CompactUid(0, 0, uid);
    }

    private static @Nullable UUID parsed(String uid) {
        try {
            return UUID.fromString(uid);
        } catch (IllegalArgumentException e) {
            return null; // servers may choose any text
        }
    }

    @Override
    public String toString() {
        return text == null ? new UUID(high, low).toString() : text;
    }
}
