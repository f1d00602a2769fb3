package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** When the next cycle of an object is due, and with which state it goes on. Confined to one cycle. */
final class NextCycle {
    private final ResourceProcessing processing;
    private final ObjectMemory memory;
    private final boolean newerKnown;
    private ObjectNode newest;
    private @Nullable Deadline wakeUp;

    /**
     * Not due.
     *
     * @param body the state that this cycle has begun with
     */
    NextCycle(ResourceProcessing processing, ObjectMemory memory, ObjectNode body) {
        this.processing = processing;
        this.memory = memory;
        CompactBody kept = memory.rememberedBody();
        this.newerKnown = kept != null && isNewer(kept.version(), ResourceVersions.of(body));
        this.newest = kept != null && newerKnown ? kept.parse() : body;
    }

    private static boolean isNewer(String kept, String version) {
        return ResourceVersions.areNumbers(version, kept) && !ResourceVersions.isAtLeast(version, kept);
    }

    /** True if an earlier cycle has kept a state that is newer than the one of this cycle. */
    boolean knowsNewer() {
        return newerKnown;
    }

    /** The newest known state. */
    ObjectNode newest() {
        return newest;
    }

    /** The server has answered with that state. */
    void goOnWith(ObjectNode answered) {
        newest = answered;
    }

    /** True if it is due at a certain moment. */
    boolean isDue() {
        return wakeUp != null;
    }

    /** It is due at that moment, unless an event comes first. */
    void wakeAt(Deadline moment) {
        wakeUp = moment;
    }

    /** It is due after that time, unless an event comes first. */
    void wakeAfter(Duration delay) {
        wakeAt(processing.platform().after(delay));
    }

    /** It is due at that moment at the latest. */
    void wakeBy(Deadline moment) {
        wakeAt(wakeUp == null ? moment : wakeUp.orEarlier(moment));
    }

    /** It is due after that time at the latest. */
    void wakeWithin(Duration delay) {
        wakeBy(processing.platform().after(delay));
    }

    /** It is not due any more. */
    void cancel() {
        wakeUp = null;
    }

    /** True if only the event of the operator's own change is still to come. */
    boolean awaitsEcho() {
        return wakeUp == null && (newerKnown || processing.consistencyCheck().isVersionExpected(memory));
    }

    /** Says what comes next for the object. Keeps its state in the memory if the next cycle may need it. */
    CycleResult result() {
        if (wakeUp == null && !awaitsEcho()) {
            return idle();
        }
        memory.rememberBody(newest);
        if (wakeUp == null) {
            return new CycleResult.Idle();
        }
        // The event of the operator's own change comes soon, and the cycle begins with it.
        Deadline expected = processing.consistencyCheck().expectedUntil(memory);
        boolean eventComesSooner = !expected.isNever() && wakeUp.compareTo(expected) < 0;
        return new CycleResult.WakeUp(eventComesSooner ? expected : wakeUp);
    }

    /** Nothing is left to do, whatever state comes next. */
    CycleResult idle() {
        ChildrenMemory children = memory.children();
        if (children != null && processing.children().keepsBody(children)) {
            memory.rememberBody(newest);
        } else {
            memory.forgetBody();
        }
        return new CycleResult.Idle();
    }

    /** The object is left alone for a while, and goes on with the newest known state then. */
    CycleResult throttled(Duration delay) {
        memory.rememberBody(newest);
        return new CycleResult.Throttled(processing.platform().after(delay));
    }
}
