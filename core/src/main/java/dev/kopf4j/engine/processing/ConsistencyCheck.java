package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps change handlers from acting on a state that is older than one that was seen or made already: what was done for
 * the newer one would be done again. Events come late after the operator's own changes, and are repeated or delayed by
 * troubled streams. Thread-safe; slots are confined to their workers.
 *
 * @param platform the clock
 * @param timeout how long to wait for a newer state at the most; zero to take every state as it comes
 */
record ConsistencyCheck(Platform platform, Duration timeout) {
    /** How a state relates to the newest known one. */
    enum Freshness {
        /** As new as any, as far as can be told. */
        NEWEST,
        /** Older: a newer one should come soon. */
        AWAITED,
        /** Older, and nothing newer has come in time. */
        OVERDUE
    }

    /** The slot's object was changed by the operator: the version in the answer has to be seen. */
    void expectVersion(ObjectMemory slot, ObjectNode before, ObjectNode answered) {
        String version = ResourceVersions.of(answered);
        if (!timeout.isZero() && !ResourceVersions.isAtLeast(ResourceVersions.of(before), version)) {
            slot.rememberVersion(version);
            slot.expectedUntil = platform.after(timeout);
        }
    }

    /** The object was changed by the operator beside its worker: the version has to be seen, if it is newer. */
    void expectVersion(ObjectMemory slot, ObjectNode body, String version) {
        String known = slot.newestVersion;
        boolean seen = ResourceVersions.isAtLeast(ResourceVersions.of(body), version)
                || (known != null && ResourceVersions.isAtLeast(known, version));
        if (!timeout.isZero() && !seen) {
            slot.rememberVersion(version);
            slot.expectedUntil = platform.after(timeout);
        }
    }

    /** Judges a state, and remembers it if it is the newest one. */
    Freshness freshnessOf(ObjectMemory slot, ObjectNode body) {
        String known = slot.newestVersion;
        String version = ResourceVersions.of(body);
        if (timeout.isZero() || known == null || ResourceVersions.isAtLeast(version, known)) {
            acceptAsNewest(slot, version);
            return Freshness.NEWEST;
        }
        if (slot.expectedUntil.isNever()) {
            slot.expectedUntil = platform.after(timeout);
        }
        if (!slot.expectedUntil.hasPassed(platform)) {
            return Freshness.AWAITED;
        }
        if (ResourceVersions.areNumbers(version, known)) {
            return Freshness.OVERDUE;
        }
        acceptAsNewest(slot, version);
        return Freshness.NEWEST;
    }

    /** This is the state on the server, whatever was known: versions may have fallen, as after a restored backup. */
    void acceptAsNewest(ObjectMemory slot, String version) {
        slot.rememberVersion(ResourceVersions.areNumbers(version, version) ? version : null);
        slot.expectedUntil = Deadline.NEVER;
    }

    /**
     * True if an event brings nothing new: that of the operator's own change, after which nothing was left to be done,
     * or an older one that has come before it.
     */
    boolean skipsAsEcho(ObjectMemory slot, QueuedEvent event) {
        String settled = slot.echoVersion;
        if (settled == null || event.type() == WatchEventType.LISTED || event.type() == WatchEventType.DELETED) {
            return false;
        }
        if (event.version().equals(settled)) {
            acceptAsNewest(slot, settled);
            return true;
        }
        return !ResourceVersions.isAtLeast(event.version(), settled)
                && ResourceVersions.areNumbers(event.version(), settled)
                && !slot.expectedUntil.isNever()
                && !slot.expectedUntil.hasPassed(platform);
    }

    /** Nothing is known any more. */
    void forget(ObjectMemory slot) {
        slot.rememberVersion(null);
        slot.echoVersion = null;
        slot.expectedUntil = Deadline.NEVER;
        slot.awaitsDeletedEvent = false;
    }
}
