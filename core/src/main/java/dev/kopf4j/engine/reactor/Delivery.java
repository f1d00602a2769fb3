package dev.kopf4j.engine.reactor;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.cause.Deletion;
import dev.kopf4j.engine.cause.Versions;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.Transformation;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one cycle has to send: collected while it runs, sent at its end, kept for the next one where it could not be
 * sent. Knows the newest state of the object, and when the next cycle is due. Confined.
 */
final class Delivery {
    private final ObjectServing serving;
    private final ObjectSlot slot;
    private final Subject subject;
    private final PatchContent patch;
    private final boolean carriedOver;
    private final @Nullable ObjectNode newer;
    private ObjectNode newest;
    private @Nullable Deadline wakeUp;
    private @Nullable Transformation settling;

    Delivery(ObjectServing serving, ObjectSlot slot, Subject subject) {
        this.serving = serving;
        this.slot = slot;
        this.subject = subject;
        this.patch = slot.takeCarried();
        this.carriedOver = !patch.isEmpty();
        this.newer = newerThan(subject.node());
        this.newest = newer == null ? subject.node() : newer;
    }

    /** The state that was kept, if it is newer than the one that has come. */
    private @Nullable ObjectNode newerThan(ObjectNode body) {
        String kept = slot.keptVersion();
        boolean isNewer = kept != null
                && Versions.areNumbers(Versions.of(body), kept)
                && !Versions.isAtLeast(Versions.of(body), kept);
        return isNewer ? slot.kept() : null;
    }

    /** Everything to be sent. */
    PatchContent patch() {
        return patch;
    }

    /** True if an earlier cycle has left something to be sent. */
    boolean hasCarriedOver() {
        return carriedOver;
    }

    /** True if a state was kept that is newer than the one that has come. */
    boolean knowsNewer() {
        return newer != null;
    }

    /** The newest state known. */
    ObjectNode newest() {
        return newest;
    }

    /** True if the next cycle is due at some moment. */
    boolean isUnfinished() {
        return wakeUp != null;
    }

    /** The next cycle is due at that moment, unless an event comes first. */
    void wakeAt(Deadline moment) {
        wakeUp = moment;
    }

    /** The next cycle is due after that time, unless an event comes first. */
    void wakeAfter(Duration delay) {
        wakeAt(serving.platform().after(delay));
    }

    /** Adds what puts the finalizer on or takes it off; it is decided anew rather than carried over. */
    void settle(Transformation transformation) {
        settling = transformation;
        patch.transform(transformation);
    }

    /** Lets the object go: the finalizer is taken off in one request with the progress. */
    void letGo() {
        // Between two requests a crash would forget what has succeeded, and keep the object.
        serving.processing().ownPart().bindTogether(patch);
        patch.transform(Transformation.own(serving.processing().finalizer()::removeFrom));
    }

    /** Sends a part before the end of the cycle; returns the state after it, null if the object has gone. */
    @Nullable ObjectNode checkpoint(PatchContent part) throws InterruptedException {
        Sent sent = deliver(subject.with(newest), part);
        take(sent);
        return sent instanceof Sent.Gone ? null : newest;
    }

    /** Sends what was collected; true if there was anything to be sent. */
    boolean send() throws InterruptedException {
        if (!patch.merge().isEmpty()) {
            // An older Python operator may have left its mark for waking up.
            serving.processing().changes().progress().touch(newest, patch.merge(), null);
        }
        Sent sent = deliver(subject.with(newest), patch);
        take(sent);
        return !(sent instanceof Sent.Nothing);
    }

    /** What the server says of the object now is the newest state; what has to be sent is left to the next cycle. */
    void refresh() throws InterruptedException {
        slot.conflicted = false;
        switch (serving.processing().sender().refresh(subject)) {
            case Sent.Changed(var answered, var _)
            when answered != null -> {
                serving.consistency().take(slot, Versions.of(answered));
                newest = answered;
            }
            case Sent.Refused(var refusal) -> throw refusal;
            case Sent.Gone(), Sent.Nothing(), Sent.Changed _ -> release();
        }
        slot.carry(patch);
        wakeAfter(Duration.ZERO);
    }

    /** Leaves to the next cycle what could not be sent. */
    void postpone() {
        carryUnsettled(patch);
    }

    /** What becomes of the object until its next event. */
    Next next() {
        if (wakeUp == null) {
            return slot.expectedUntil.isNever() && newer == null ? new Next.Rest() : new Next.Await(newest);
        }
        boolean eventComesSooner = !slot.expectedUntil.isNever() && wakeUp.compareTo(slot.expectedUntil) < 0;
        // The event of our own change comes soon, and the cycle begins with it.
        return new Next.WakeUp(eventComesSooner ? slot.expectedUntil : wakeUp, newest);
    }

    /**
     * What handlers want and the server refuses is dropped, loudly; what they have achieved is written all the same.
     */
    private Sent deliver(Subject to, PatchContent content) throws InterruptedException {
        OwnMove move = slot.hasSightings() ? OwnMove.of(serving, to, content) : null;
        Sent sent = serving.processing().sender().send(to, content);
        if (move != null && sent instanceof Sent.Changed(var answered, var _) && answered != null) {
            move.made(answered, slot.handling().sightings());
        }
        if (!(sent instanceof Sent.Refused(ApiException refusal))) {
            return sent;
        }
        subject.localLogger()
                .error(
                        "The server refuses the changes that the handlers have made to this object; they are dropped, and"
                                + " the handlers are not called again for it: {}",
                        refusal.getMessage());
        Sent again = serving.processing()
                .sender()
                .send(to, serving.processing().ownPart().of(content));
        if (again instanceof Sent.Refused(ApiException second)) {
            throw second;
        }
        return again;
    }

    private void take(Sent sent) {
        switch (sent) {
            case Sent.Nothing() -> {}
            case Sent.Refused(var refusal) -> throw refusal;
            case Sent.Gone() -> {
                wakeUp = null;
                release();
            }
            case Sent.Changed(var answered, var remaining) -> {
                if (answered != null) {
                    takeAnswer(answered);
                }
                carry(remaining);
            }
        }
    }

    private void takeAnswer(ObjectNode answered) {
        if (serving.handlesChanges()) {
            serving.consistency().expect(slot, newest, answered);
        }
        newest = answered;
        if (Deletion.isReleased(answered)) {
            release();
        }
    }

    /** Only its DELETED event counts from now on. */
    private void release() {
        slot.released = true;
        slot.learn(slot.newestVersion);
    }

    /** What could not be sent is tried again with the next event, or after a while if none comes. */
    private void carry(PatchContent remaining) {
        slot.conflicted = !remaining.isEmpty();
        if (remaining.isEmpty()) {
            slot.conflictsInRow = 0;
            return;
        }
        Deadline again = serving.platform().after(serving.errorDelays().ofConflict(slot.conflictsInRow++));
        wakeUp = wakeUp == null ? again : wakeUp.orEarlier(again);
        carryUnsettled(remaining);
    }

    private void carryUnsettled(PatchContent unsent) {
        if (settling != null) {
            unsent.remove(settling);
        }
        slot.carry(unsent);
    }
}
