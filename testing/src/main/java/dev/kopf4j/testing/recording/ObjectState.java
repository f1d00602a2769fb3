package dev.kopf4j.testing.recording;

import dev.kopf4j.Resource;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.math.BigInteger;
import java.util.Objects;

/**
 * How far the operator is with one object. Immutable.
 *
 * @param resource its resource
 * @param reference which object
 * @param version the newest version that the operator has seen; empty if it has none
 * @param gone true if the operator knows that it does not exist any more
 * @param busy true while something waits to be processed, or is processed
 * @param next when the operator looks at it again by itself
 */
record ObjectState(
        Resource resource, ObjectReference reference, String version, boolean gone, boolean busy, Deadline next) {
    static ObjectState unseen(Resource resource, ObjectReference reference) {
        return new ObjectState(resource, reference, "", false, false, Deadline.NEVER);
    }

    ObjectState noticed(ObjectReference newest, String seen, boolean vanished, boolean waits) {
        return new ObjectState(resource, newest, seen, vanished, busy || waits, waits ? Deadline.NEVER : next);
    }

    ObjectState woken() {
        return new ObjectState(resource, reference, version, gone, true, Deadline.NEVER);
    }

    ObjectState awaiting(Deadline at) {
        return new ObjectState(resource, reference, version, gone, busy, at);
    }

    ObjectState released() {
        return new ObjectState(resource, reference, version, gone, false, next);
    }

    ObjectState dropped() {
        return new ObjectState(resource, reference, version, gone, false, Deadline.NEVER);
    }

    /** True if it has the namespace and the name of the other one. */
    boolean hasPlaceOf(ObjectReference other) {
        return Objects.equals(reference.namespace(), other.namespace())
                && Objects.equals(reference.name(), other.name());
    }

    /** True if it is processed, or would be by now. */
    boolean isAtWork(Platform platform) {
        return busy || (!gone && next.hasPassed(platform));
    }

    /** True if the operator has seen this version of it, or a newer one. */
    boolean hasSeen(String wanted) {
        return version.equals(wanted)
                || (isNumber(version)
                        && isNumber(wanted)
                        && new BigInteger(version).compareTo(new BigInteger(wanted)) >= 0);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }
}
