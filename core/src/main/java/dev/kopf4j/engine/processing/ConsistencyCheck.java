package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps change handlers from acting on a state that is older than one that the operator has seen or made already: they
 * would repeat what they have done for the newer state. Events come late after the operator's own changes, and troubled
 * streams repeat or delay them. Thread-safe; each object's memory is confined to its worker.
 *
 * @param platform the clock
 * @param timeout how long to wait for a newer state at the most; zero to take each state as it comes
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

    /** The operator has changed the object: the version of the answer has to be seen. */
    void expectVersion(ObjectMemory memory, ObjectNode before, ObjectNode answered) {
        String version = ResourceVersions.of(answered);
        if (!timeout.isZero() && !ResourceVersions.isAtLeast(ResourceVersions.of(before), version)) {
            expect(memory, version);
        }
    }

    /** A daemon or timer has changed the object: the version has to be seen, if it is newer than the known one. */
    void expectVersion(ObjectMemory memory, ObjectNode body, String version) {
        String known = memory.knownVersion().newest();
        boolean seen = ResourceVersions.isAtLeast(ResourceVersions.of(body), version)
                || (known != null && ResourceVersions.isAtLeast(known, version));
        if (!timeout.isZero() && !seen) {
            expect(memory, version);
        }
    }

    private void expect(ObjectMemory memory, String version) {
        KnownVersion known = memory.knownVersion();
        known.learn(version, memory.stream().currentList());
        known.expectUntil(platform.after(timeout));
    }

    /** True if a version is expected that has not been seen yet. */
    boolean isVersionExpected(ObjectMemory memory) {
        return !expectedUntil(memory).isNever();
    }

    /** Until when the expected version is waited for; never if none is expected. */
    Deadline expectedUntil(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        return known == null ? Deadline.NEVER : known.expectedUntil();
    }

    /**
     * Compares a state with the newest known one, and remembers it if it is the newest itself.
     *
     * @param byEvent true if the stream has just brought it: what is newer comes behind it
     */
    Freshness freshnessOf(ObjectMemory memory, ObjectNode body, boolean byEvent) {
        KnownVersion known = memory.knownVersion();
        String newest = known.newest();
        String version = ResourceVersions.of(body);
        if (timeout.isZero() || newest == null || ResourceVersions.isAtLeast(version, newest)) {
            acceptAsNewest(memory, version);
            return Freshness.NEWEST;
        }
        if (known.expectedUntil().isNever()) {
            known.expectUntil(platform.after(timeout));
        }
        if (!known.expectedUntil().hasPassed(platform)) {
            return Freshness.AWAITED;
        }
        if (ResourceVersions.areNumbers(version, newest)) {
            return byEvent || memory.stream().willReach(newest) ? awaitedAnew(known) : Freshness.OVERDUE;
        }
        acceptAsNewest(memory, version);
        return Freshness.NEWEST;
    }

    /** The stream is late, and nobody has to ask for what it is about to bring. */
    private Freshness awaitedAnew(KnownVersion known) {
        known.expectUntil(platform.after(timeout));
        return Freshness.AWAITED;
    }

    /** Accepts this version as the server's, whatever was known: versions may fall, as after a restored backup. */
    void acceptAsNewest(ObjectMemory memory, String version) {
        KnownVersion known = memory.knownVersion();
        known.learn(
                ResourceVersions.areNumbers(version, version) ? version : null,
                memory.stream().currentList());
        known.expectUntil(Deadline.NEVER);
    }

    /**
     * The finalizer is off the object in deletion: only its DELETED event counts from now on. The known version counts
     * as learnt now, so that an earlier list does not bring the object back.
     */
    void awaitDeletedEvent(ObjectMemory memory) {
        KnownVersion known = memory.knownVersion();
        known.awaitDeletedEvent(true);
        known.learn(known.newest(), memory.stream().currentList());
    }

    /** True if only the DELETED event of the object counts. */
    boolean isDeletedEventAwaited(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        return known != null && known.isDeletedEventAwaited();
    }

    /**
     * Forgets all versions if they were learnt before that list began: the list has the object as it is, whatever its
     * version.
     */
    void forgetVersionsBefore(ObjectMemory memory, int list) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null && list > known.learntInList()) {
            forgetVersions(memory);
        }
    }

    /** Forgets all versions, known or expected. */
    void forgetVersions(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null) {
            known.learn(null, memory.stream().currentList());
            known.expectEcho(null);
            known.expectUntil(Deadline.NEVER);
            known.awaitDeletedEvent(false);
        }
    }
}
