package dev.kopf4j.engine.peering;

import dev.kopf4j.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a peering object means for one operator at a moment. Immutable.
 *
 * @param higher living peers with a higher priority
 * @param same living peers with the same priority, itself not among them
 * @param dead those whose time is over, itself maybe among them
 */
record PeerConflicts(List<Peer> higher, List<Peer> same, List<Peer> dead) {
    /** No peers. */
    static final PeerConflicts NONE = new PeerConflicts(List.of(), List.of(), List.of());

    /** Copies the lists. */
    PeerConflicts {
        higher = List.copyOf(higher);
        same = List.copyOf(same);
        dead = List.copyOf(dead);
    }

    /** Judges all records of the object. */
    static PeerConflicts of(ObjectNode object, String self, long priority, Instant now) {
        List<Peer> all = new ArrayList<>();
        object.path("status").forEachEntry((identity, record) -> {
            if (record.isObject()) {
                all.add(Peer.of(identity, record, now));
            }
        });
        List<Peer> others = all.stream()
                .filter(peer -> !peer.isDead(now) && !peer.identity().equals(self))
                .toList();
        return new PeerConflicts(
                others.stream().filter(peer -> peer.priority() > priority).toList(),
                others.stream().filter(peer -> peer.priority() == priority).toList(),
                all.stream().filter(peer -> peer.isDead(now)).toList());
    }

    /** When the first of those in the way will count as dead. */
    Optional<Instant> nextDeadline() {
        return Stream.concat(higher.stream(), same.stream()).map(Peer::deadline).min(Instant::compareTo);
    }

    /** The patch that removes the dead. */
    ObjectNode cleaning() {
        ObjectNode patch = Json.object();
        ObjectNode status = patch.putObject("status");
        dead.forEach(peer -> status.putNull(peer.identity()));
        return patch;
    }
}
