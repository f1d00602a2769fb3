package dev.kopf4j.engine.reactor;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.client.ApiException;
import dev.kopf4j.client.ClientException;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Deletion;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.ChangeCycle;
import dev.kopf4j.engine.handling.ChangeHandling;
import dev.kopf4j.engine.handling.EventCalls;
import dev.kopf4j.engine.handling.ResourceHandlers;
import dev.kopf4j.engine.handling.Subject;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.Transformation;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of one cycle of one object: event handlers, cause, finalizer, consistency, change handlers, and one patch
 * at the end. Thread-safe; a slot is given to one worker at a time.
 */
public final class ObjectProcessor {
    private final Platform platform;
    private final Resource resource;
    private final ResourceHandlers handlers;
    private final ChangeHandling changes;
    private final EventCalls events;
    private final Finalizer finalizer;
    private final PatchSender sender;
    private final OwnPart ownPart;
    private final Consistency consistency;
    private final List<Duration> errorDelays;

    /** A processor for the objects of one resource. */
    public ObjectProcessor(Platform platform, Resource resource, ResourceHandlers handlers, Processing processing) {
        this.platform = platform;
        this.resource = resource;
        this.handlers = handlers;
        this.changes = processing.changes();
        this.events = processing.events();
        this.finalizer = processing.finalizer();
        this.sender = processing.sender();
        this.ownPart = processing.ownPart();
        this.consistency =
                new Consistency(platform, processing.settings().persistence().consistencyTimeout());
        this.errorDelays = processing.settings().queueing().errorDelays();
    }

    /** True if each event counts; otherwise only the newest state does. */
    boolean seesEachEvent() {
        return !handlers.events().isEmpty();
    }

    /** The object was listed after the last thing that is known of it: versions may have started anew. */
    void forgetKnown(ObjectSlot slot) {
        consistency.forget(slot);
    }

    /**
     * Processes one event of an object, or one moment it has waited for.
     *
     * @throws InterruptedException if the operator stops
     */
    Next process(ObjectSlot slot, Trigger trigger) throws InterruptedException {
        ObjectNode body = trigger.body();
        Subject subject = new Subject(resource, new BodyView(body), new ObjectLogger(slot.reference));
        Cycle cycle = new Cycle(slot, subject, trigger);
        try {
            Next next = cycle.run();
            cycle.wellDone();
            return next;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            return cycle.throttle(e);
        }
    }

    /** Whether an object has the finalizer that it should have. */
    private enum Settlement {
        SETTLED,
        TO_BE_ADDED,
        TO_BE_REMOVED
    }

    /** One cycle. Confined. */
    private final class Cycle {
        private final ObjectSlot slot;
        private final Subject subject;
        private final Trigger trigger;
        private final PatchContent patch;
        private final boolean carriedOver;
        private final @Nullable ObjectNode newer;
        private @Nullable Deadline wakeUp;
        private @Nullable Transformation settling;
        private ObjectNode newest;
        private boolean matched;

        Cycle(ObjectSlot slot, Subject subject, Trigger trigger) {
            this.slot = slot;
            this.subject = subject;
            this.trigger = trigger;
            this.patch = slot.takeCarried();
            this.carriedOver = !patch.isEmpty();
            this.newer = newerThan(subject.node());
            this.newest = newer == null ? subject.node() : newer;
        }

        /** The state that was kept, if it is newer than the one that has come. */
        private @Nullable ObjectNode newerThan(ObjectNode body) {
            String kept = slot.keptVersion();
            boolean newer = kept != null
                    && Versions.areNumbers(Versions.of(body), kept)
                    && !Versions.isAtLeast(Versions.of(body), kept);
            return newer ? slot.kept() : null;
        }

        Next run() throws InterruptedException {
            if (trigger instanceof Trigger.Moment && slot.conflicted) {
                return refreshed();
            }
            if (trigger instanceof Trigger.Event(var event, var _)) {
                events.call(handlers.events(), subject, event, patch);
            }
            if (!handlers.changes().isEmpty() && !trigger.outdated()) {
                handleChanges();
            }
            if (trigger.isGone()) {
                return new Next.Forget();
            }
            send();
            slot.forgetLeftBehindIfEmpty();
            return next();
        }

        private Next next() {
            if (wakeUp != null) {
                return new Next.WakeUp(wakeUp, newest);
            }
            return slot.expectedUntil.isNever() && newer == null ? new Next.Rest() : new Next.Await(newest);
        }

        /** The next cycle begins with what is on the server; what has to be sent is sent then. */
        private Next refreshed() throws InterruptedException {
            slot.conflicted = false;
            switch (sender.refresh(subject)) {
                case Sent.Changed(var answered, var _)
                when answered != null -> {
                    consistency.take(slot, Versions.of(answered));
                    newest = answered;
                }
                case Sent.Refused(var refusal) -> throw refusal;
                case Sent.Gone(), Sent.Nothing(), Sent.Changed _ -> release();
            }
            slot.carry(patch);
            return new Next.WakeUp(platform.after(Duration.ZERO), newest);
        }

        private void handleChanges() throws InterruptedException {
            if (slot.released && !trigger.isGone()) {
                return;
            }
            Cause cause = changes.detector().detect(subject.node(), trigger.isGone(), isInitial(), handlers.fields());
            boolean concerned = changes.concernsAny(handlers.changes(), subject, cause);
            if (!trigger.isGone() && (mustWait(concerned) || settleFinalizer(concerned, cause))) {
                return;
            }
            if (!concerned) {
                return;
            }
            if (cause.reason() != Reason.GONE && carriedOver) {
                // What an earlier cycle has left is written first.
                wakeUp = platform.after(Duration.ZERO);
                return;
            }
            matched = true;
            boolean delayed = handle(cause);
            if (!delayed && cause.reason() == Reason.DELETE) {
                subject.logger().debug("Removing the finalizer, thus allowing the actual deletion.");
                // In one request: between two of them a crash would forget what has succeeded, and keep the object.
                ownPart.bindTogether(patch);
                patch.transform(Transformation.own(finalizer::removeFrom));
            }
        }

        /** True if a newer state is known, and has to be seen first. */
        private boolean mustWait(boolean concerned) {
            Consistency.Freshness freshness = consistency.judge(slot, subject.node());
            if (freshness == Consistency.Freshness.NEWEST) {
                return false;
            }
            if (newer != null || concerned || finalizer.isOn(subject.node())) {
                slot.conflicted |= newer == null && freshness == Consistency.Freshness.OVERDUE;
                wakeUp = slot.expectedUntil;
            }
            return true;
        }

        /** Puts the finalizer on, or takes it off; true if it had to be: everything else waits for the next cycle. */
        private boolean settleFinalizer(boolean concerned, Cause cause) {
            Settlement settlement = settlement(subject, concerned, cause);
            switch (settlement) {
                case SETTLED -> {}
                case TO_BE_ADDED ->
                    subject.logger().debug("Adding the finalizer, thus preventing the actual deletion.");
                case TO_BE_REMOVED ->
                    subject.logger().debug("Removing the finalizer, as there are no handlers requiring it.");
            }
            if (settlement == Settlement.SETTLED) {
                return false;
            }
            settling = Transformation.own(this::settle);
            patch.transform(settling);
            return true;
        }

        /**
         * Decides anew: the state may be a newer one by now, in which the finalizer is wanted or not. If there is a
         * conflict even so, the next cycle decides.
         */
        private void settle(ObjectNode body) {
            Subject state = subject.with(body);
            Cause cause = changes.detector().detect(body, false, isInitial(), handlers.fields());
            boolean concerned = changes.concernsAny(handlers.changes(), state, cause);
            switch (settlement(state, concerned, cause)) {
                case SETTLED -> {}
                case TO_BE_ADDED -> finalizer.addTo(body);
                case TO_BE_REMOVED -> finalizer.removeFrom(body);
            }
        }

        private Settlement settlement(Subject state, boolean concerned, Cause cause) {
            boolean needed = concerned && changes.needsFinalizer(handlers.changes(), state, cause);
            boolean held = finalizer.isOn(state.node());
            if (needed && !held && !Deletion.isRequested(state.node())) {
                return Settlement.TO_BE_ADDED;
            }
            return !needed && held ? Settlement.TO_BE_REMOVED : Settlement.SETTLED;
        }

        private boolean isInitial() {
            return slot.noticedByListing && !slot.handledOnce;
        }

        /** True if something is left to be done later. */
        private boolean handle(Cause cause) throws InterruptedException {
            return switch (cause) {
                case Cause.Informational(var reason, var change) -> {
                    inform(reason);
                    yield false;
                }
                case Cause.Handleable handleable -> handle(handleable);
            };
        }

        private boolean handle(Cause.Handleable cause) throws InterruptedException {
            String refusal = changes.refusal(subject, cause);
            if (refusal != null) {
                refuse(refusal);
                return false;
            }
            slot.refused = false;
            ChangeCycle.Result result = changes.cycle(
                            handlers, subject, cause, patch, slot.leftBehind(), this::writeCheckpoint)
                    .run();
            return switch (result) {
                case ChangeCycle.Result.Done() -> {
                    slot.handledOnce = true;
                    yield false;
                }
                case ChangeCycle.Result.Unfinished(Duration delay) -> {
                    wakeUp = platform.after(delay);
                    yield true;
                }
                case ChangeCycle.Result.Overtaken() -> {
                    wakeUp = platform.after(Duration.ZERO);
                    yield true;
                }
            };
        }

        /** Once for each object: it is looked at again with each of its events. */
        private void refuse(String why) {
            if (!slot.refused) {
                subject.logger().error("The object is not handled, no handler is called for it. {}", why);
            }
            slot.refused = true;
        }

        private void inform(Reason reason) {
            switch (reason) {
                case GONE -> subject.logger().debug("Deleted, really deleted, and we are notified.");
                case FREE -> subject.logger().debug("Deletion, but we are done with it, and we do not care.");
                default -> {
                    subject.logger()
                            .debug("Something has changed, but we are not interested (the essence is the same).");
                    // Otherwise the next change would look as if some handlers had succeeded with it already.
                    changes.dropProgress(handlers, subject, patch);
                }
            }
        }

        private @Nullable ObjectNode writeCheckpoint(PatchContent part) throws InterruptedException {
            ObjectNode before = newest;
            Sent sent = deliver(subject.with(before), part);
            take(sent);
            return sent instanceof Sent.Gone ? null : newest;
        }

        private void send() throws InterruptedException {
            if (!patch.merge().isEmpty()) {
                // An older Python operator may have left its mark for waking up.
                changes.progress().touch(newest, patch.merge(), null);
            }
            Sent sent = deliver(subject.with(newest), patch);
            take(sent);
            if (matched && wakeUp == null && sent instanceof Sent.Nothing) {
                subject.logger().debug("Handling cycle is finished, waiting for new changes.");
            }
            if (wakeUp != null && !slot.expectedUntil.isNever()) {
                // The event of our own change comes sooner than this, and the cycle begins with it.
                wakeUp = wakeUp.compareTo(slot.expectedUntil) < 0 ? slot.expectedUntil : wakeUp;
            }
        }

        /**
         * What handlers want and the server refuses is dropped, loudly; what they have achieved is written all the
         * same.
         */
        private Sent deliver(Subject to, PatchContent content) throws InterruptedException {
            Sent sent = sender.send(to, content);
            if (!(sent instanceof Sent.Refused(ApiException refusal))) {
                return sent;
            }
            subject.logger()
                    .error(
                            "The server refuses the changes that the handlers have made to this object; they are dropped, and"
                                    + " the handlers are not called again for it: {}",
                            refusal.getMessage());
            Sent again = sender.send(to, ownPart.of(content));
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
                        if (!handlers.changes().isEmpty()) {
                            consistency.expect(slot, newest, answered);
                        }
                        newest = answered;
                        if (Deletion.isReleased(answered)) {
                            release();
                        }
                    }
                    carry(remaining);
                }
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
            Deadline again = platform.after(errorDelay(slot.conflictsInRow++));
            wakeUp = wakeUp == null ? again : wakeUp.orEarlier(again);
            carryUnsettled(remaining);
        }

        private void carryUnsettled(PatchContent unsent) {
            if (settling != null) {
                unsent.remove(settling);
            }
            slot.carry(unsent);
        }

        private Duration errorDelay(int step) {
            return errorDelays.isEmpty()
                    ? Duration.ofSeconds(1)
                    : errorDelays.get(Math.min(step, errorDelays.size() - 1));
        }

        void wellDone() {
            if (slot.errorsInRow > 0) {
                slot.errorsInRow = 0;
                subject.logger().info("Throttling is over. Switching back to normal operations.");
            }
        }

        /** Nothing that was achieved is done again: the patch that could not be sent is sent first next time. */
        Next throttle(Throwable error) {
            if (trigger.isGone()) {
                subject.logger().error("The deletion was not processed in full, due to an unexpected error.", error);
                return new Next.Forget();
            }
            Duration delay = errorDelays.isEmpty() ? Duration.ZERO : errorDelay(slot.errorsInRow++);
            subject.logger()
                    .error("Throttling for {} seconds due to an unexpected error: {}", delay.toSeconds(), error, error);
            if (error instanceof ClientException) {
                carryUnsettled(patch);
            }
            return new Next.Throttled(platform.after(delay), newest);
        }
    }
}
