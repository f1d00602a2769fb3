package dev.kopf4j.engine.peering;

import dev.kopf4j.json.Json;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operator itself, as other operators see it. Immutable.
 *
 * @param identity what it calls itself
 * @param priority its priority
 * @param lifetime for how long others are to believe in it
 */
record OwnPeerRecord(String identity, long priority, Duration lifetime) {
    /** A sign of life. */
    ObjectNode alive(Instant now) {
        return patch().set("status", status().set(identity, new Peer(identity, priority, lifetime, now).record()));
    }

    /** The end of all signs of life. */
    ObjectNode gone() {
        return patch().set("status", status().putNull(identity));
    }

    private static ObjectNode patch() {
        return Json.object();
    }

    private static ObjectNode status() {
        return Json.object();
    }
}
