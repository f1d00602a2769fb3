package dev.kopf4j.engine.reactor;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets change handlers see the operator's own last change before they are called again. Thread-safe; slots are confined
 * to their workers.
 *
 * @param platform the clock
 * @param timeout how long to wait at the most; zero for not at all
 */
record Consistency(Platform platform, Duration timeout) {
    /** The slot's object was changed by the operator: the version in the answer has to be seen. */
    void expect(ObjectSlot slot, ObjectNode before, ObjectNode answered) {
        String version = Versions.of(answered);
        if (!timeout.isZero() && !Versions.isAtLeast(Versions.of(before), version)) {
            slot.expectedVersion = version;
            slot.expectedUntil = platform.after(timeout);
        }
    }

    /** True if the state is as new as expected, or it was waited for long enough. */
    boolean isMet(ObjectSlot slot, ObjectNode body) {
        String expected = slot.expectedVersion;
        if (expected == null) {
            return true;
        }
        boolean met = Versions.isAtLeast(Versions.of(body), expected) || slot.expectedUntil.hasPassed(platform);
        if (met) {
            forget(slot);
        }
        return met;
    }

    /** Versions may have fallen, as after a restored backup: nothing is expected any more. */
    void forget(ObjectSlot slot) {
        slot.expectedVersion = null;
        slot.expectedUntil = Deadline.NEVER;
    }
}
