package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps change handlers from acting on a state that is older than one that the operator has seen or made already: they
 * would repeat what they have done for the newer state. Events come late after the operator's own changes, and troubled
 * streams repeat or delay them. It also recognises the event of the operator's own change, so that it can be skipped if
 * that change has left nothing to do. Thread-safe; each object's memory is confined to its worker.
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

    /**
     * Which version of an object is known or expected; only the check reads and writes it. Each object has one, also at
     * rest: versions are kept as numbers, and as texts only where they are none.
     */
    static final class KnownVersion {
        private static final long NO_NUMBER = -1;

        private long newestNumber = NO_NUMBER;
        private @Nullable String newestText;
        private long ownNumber = NO_NUMBER;
        private @Nullable String ownText;
        /** The number of the list that had begun last when the newest version became known. */
        private int learntInList;
        /** Until when the newest version is waited for; never if it has been seen. */
        private Deadline expectedUntil = Deadline.NEVER;

        private boolean deletedEventAwaited;
        /** True if a cycle has made the newest version, and it was not looked at since. */
        private boolean madeByCycle;
        /** True if the object had the record of what was handled in the newest version. */
        private boolean recorded;
        /** True if a list has begun since: whether other states are older is not known. */
        private boolean listedSince;

        /** The newest version that was seen or made; null if none is known. */
        @Nullable String newest() {
            return listedSince ? null : learnt();
        }

        private @Nullable String learnt() {
            return text(newestNumber, newestText);
        }

        /** The version of the operator's own change, after which nothing is left to do; null if there is none. */
        private @Nullable String ownChange() {
            return text(ownNumber, ownText);
        }

        private static @Nullable String text(long number, @Nullable String otherwise) {
            return number == NO_NUMBER ? otherwise : Long.toString(number);
        }

        private void learn(@Nullable String version, int list) {
            newestNumber = number(version);
            newestText = newestNumber == NO_NUMBER ? version : null;
            learntInList = list;
            madeByCycle = false;
            recorded = false;
            listedSince = false;
        }

        private void ownChange(@Nullable String version) {
            ownNumber = number(version);
            ownText = ownNumber == NO_NUMBER ? version : null;
        }

        private static long number(@Nullable String version) {
            return version == null ? NO_NUMBER : ResourceVersions.number(version);
        }
    }

    /** The operator has changed the object: the version of the answer has to be seen. */
    void expectVersion(ObjectMemory memory, ObjectNode before, ObjectNode answered) {
        String version = ResourceVersions.of(answered);
        if (!timeout.isZero() && !ResourceVersions.isAtLeast(ResourceVersions.of(before), version)) {
            expect(memory, version);
            memory.knownVersion().madeByCycle = true;
        }
    }

    /** True if it is known which states are older than what the operator has written. */
    boolean knowsOwnWriting() {
        return !timeout.isZero();
    }

    /** True if that state is the one which the last cycle has made. */
    boolean isMadeByLastCycle(ObjectMemory memory, ObjectNode body) {
        KnownVersion known = memory.knownVersionOrNull();
        return known != null && known.madeByCycle && ResourceVersions.of(body).equals(known.newest());
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
        known.expectedUntil = platform.after(timeout);
    }

    /** True if a version is expected that has not been seen yet. */
    boolean isVersionExpected(ObjectMemory memory) {
        return !expectedUntil(memory).isNever();
    }

    /** Until when the expected version is waited for; never if none is expected. */
    Deadline expectedUntil(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        return known == null ? Deadline.NEVER : known.expectedUntil;
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
        if (known.expectedUntil.isNever()) {
            known.expectedUntil = platform.after(timeout);
        }
        if (!known.expectedUntil.hasPassed(platform)) {
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
        known.expectedUntil = platform.after(timeout);
        return Freshness.AWAITED;
    }

    /** Accepts this version as the server's, whatever was known: versions may fall, as after a restored backup. */
    void acceptAsNewest(ObjectMemory memory, String version) {
        KnownVersion known = memory.knownVersion();
        known.learn(
                ResourceVersions.areNumbers(version, version) ? version : null,
                memory.stream().currentList());
        known.expectedUntil = Deadline.NEVER;
    }

    /**
     * The finalizer is off the object in deletion: only its DELETED event counts from now on. The known version counts
     * as learnt now, so that an earlier list does not bring the object back.
     */
    void awaitDeletedEvent(ObjectMemory memory) {
        KnownVersion known = memory.knownVersion();
        known.deletedEventAwaited = true;
        known.learn(known.newest(), memory.stream().currentList());
    }

    /** True if only the DELETED event of the object counts. */
    boolean isDeletedEventAwaited(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        return known != null && known.deletedEventAwaited;
    }

    /**
     * Forgets all versions if they were learnt before that list began: the list has the object as it is, whatever its
     * version.
     */
    void forgetVersionsBefore(ObjectMemory memory, int list) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null && list > known.learntInList) {
            String learnt = known.learnt();
            boolean recorded = known.recorded;
            forgetVersions(memory);
            if (recorded) {
                known.learn(learnt, memory.stream().currentList());
                known.recorded = true;
                known.listedSince = true;
            }
        }
    }

    /** The object has the record of what was handled in the newest version. */
    void noteRecord(ObjectMemory memory) {
        memory.knownVersion().recorded = true;
    }

    /**
     * True if the object had the record of what was handled in the version of that state: then each state of it has the
     * record, unless the server leaves out what is stored.
     */
    boolean hadRecord(ObjectMemory memory, ObjectNode body) {
        KnownVersion known = memory.knownVersionOrNull();
        return known != null && known.recorded && ResourceVersions.of(body).equals(known.learnt());
    }

    /** Forgets all versions, known or expected. */
    void forgetVersions(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null) {
            known.learn(null, memory.stream().currentList());
            known.ownChange(null);
            known.expectedUntil = Deadline.NEVER;
            known.deletedEventAwaited = false;
        }
    }

    /** After the operator's own change nothing is left to do: the event of that version can be skipped. */
    void skipEventOf(ObjectMemory memory, String version) {
        memory.knownVersion().ownChange(version);
    }

    /** A cycle begins: which event can be skipped is decided anew at its end. */
    void skipNothing(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null) {
            known.ownChange(null);
        }
    }

    /**
     * True if an event brings nothing new: it is that of the operator's own change, after which nothing was left to do,
     * or an older one that comes before it.
     */
    boolean skips(ObjectMemory memory, WatchEventType type, String version) {
        KnownVersion known = memory.knownVersionOrNull();
        String own = known == null ? null : known.ownChange();
        if (own == null || type == WatchEventType.LISTED || type == WatchEventType.DELETED) {
            return false;
        }
        if (version.equals(own)) {
            acceptAsNewest(memory, own);
            noteRecord(memory);
            return true;
        }
        Deadline expectedUntil = expectedUntil(memory);
        return ResourceVersions.isOlder(version, own) && !expectedUntil.isNever() && !expectedUntil.hasPassed(platform);
    }
}
