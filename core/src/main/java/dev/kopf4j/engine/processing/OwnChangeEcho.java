package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.runtime.Deadline;

/**
 * Recognises the event of the operator's own change, so that it can be skipped if {@link WorkAfterOwnChange} has found
 * nothing to do. Thread-safe; each object's memory is confined to its worker.
 *
 * @param consistencyCheck knows which versions were seen
 */
record OwnChangeEcho(ConsistencyCheck consistencyCheck) {
    /** After the operator's own change nothing is left to do: the event of that version can be skipped. */
    void expect(ObjectMemory memory, String version) {
        memory.knownVersion().expectEcho(version);
    }

    /** A cycle begins: which event can be skipped is decided anew at its end. */
    void forget(ObjectMemory memory) {
        KnownVersion known = memory.knownVersionOrNull();
        if (known != null) {
            known.expectEcho(null);
        }
    }

    /**
     * True if an event brings nothing new: it is the echo of the operator's own change, after which nothing was left to
     * do, or an older one that comes before the echo.
     */
    boolean isEcho(ObjectMemory memory, WatchEventType type, String version) {
        KnownVersion known = memory.knownVersionOrNull();
        String echo = known == null ? null : known.echo();
        if (echo == null || type == WatchEventType.LISTED || type == WatchEventType.DELETED) {
            return false;
        }
        if (version.equals(echo)) {
            consistencyCheck.acceptAsNewest(memory, echo);
            return true;
        }
        Deadline expectedUntil = consistencyCheck.expectedUntil(memory);
        return !ResourceVersions.isAtLeast(version, echo)
                && ResourceVersions.areNumbers(version, echo)
                && !expectedUntil.isNever()
                && !expectedUntil.hasPassed(consistencyCheck.platform());
    }
}
