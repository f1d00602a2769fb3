package dev.kopf4j.engine.peering;

import dev.kopf4j.json.Json;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An operator as it is recorded in a peering object. Immutable.
 *
 * @param identity what it calls itself
 * @param priority the highest one acts
 * @param lifetime for how long it is believed to live without a new sign of life; whole seconds
 * @param lastSeen its last sign of life, by its own clock
 */
record Peer(String identity, long priority, Duration lifetime, Instant lastSeen) {
    private static final int LIFETIME_DEFAULT_SECONDS = 60;

    /** A thousand years: later moments are beyond the calendar. */
    private static final long LIFETIME_MAX_SECONDS = Duration.ofDays(365_000).toSeconds();

    /**
     * Reads a record; what is missing or of no use has defaults, what is unknown is left alone.
     *
     * @param now when its peer is taken to have been seen if the record does not say so
     */
    static Peer of(String identity, JsonNode record, Instant now) {
        return new Peer(
                identity,
                priority(record.path("priority")),
                Duration.ofSeconds(
                        Math.clamp(record.path("lifetime").asLong(LIFETIME_DEFAULT_SECONDS), 0, LIFETIME_MAX_SECONDS)),
                lastSeen(record.path("lastseen").asString(""), now));
    }

    /**
     * Python's numbers have no limit: operators use microseconds since 1970. What is too big for us is the biggest
     * here.
     */
    private static long priority(JsonNode value) {
        return value.isNumber() && !value.canConvertToLong() ? (long) value.doubleValue() : value.asLong(0);
    }

    /** True if the record says when its peer was seen last. */
    static boolean isReadable(JsonNode record) {
        try {
            var _ = KubernetesTimestamps.parse(record.path("lastseen").asString(""));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static Instant lastSeen(String text, Instant now) {
        try {
            Instant seen = text.isEmpty() ? now : KubernetesTimestamps.parse(text);
            return seen.isAfter(now.plusSeconds(LIFETIME_MAX_SECONDS)) ? now : seen;
        } catch (DateTimeException e) {
            // The record is unreadable, but somebody has written it: the peer counts as alive then.
            return now;
        }
    }

    /** The record as it is written. */
    ObjectNode record() {
        ObjectNode record = Json.object();
        record.put("priority", priority);
        record.put("lifetime", lifetime.toSeconds());
        return record.put("lastseen", KubernetesTimestamps.formatShort(lastSeen));
    }

    /** When it counts as dead. */
    Instant deadline() {
        return lastSeen.plus(lifetime);
    }

    boolean isDead(Instant now) {
        return !deadline().isAfter(now);
    }

    @Override
    public String toString() {
        return "<Peer " + identity + ": priority=" + priority + ", lifetime=" + lifetime.toSeconds() + ", lastseen='"
                + KubernetesTimestamps.formatShort(lastSeen) + "'>";
    }

    /**
     * The operator itself, as other operators are to see it. Immutable.
     *
     * @param identity what it calls itself
     * @param priority its priority
     * @param lifetime for how long others are to believe in it
     */
    record Self(String identity, long priority, Duration lifetime) {
        /** The patch that is a sign of life. */
        ObjectNode alive(Instant now) {
            ObjectNode patch = Json.object();
            patch.putObject("status").set(identity, new Peer(identity, priority, lifetime, now).record());
            return patch;
        }

        /** The patch that ends all signs of life. */
        ObjectNode gone() {
            ObjectNode patch = Json.object();
            patch.putObject("status").putNull(identity);
            return patch;
        }
    }
}
