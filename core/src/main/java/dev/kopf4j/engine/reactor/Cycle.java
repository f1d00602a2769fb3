package dev.kopf4j.engine.reactor;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.Versions;
import dev.kopf4j.engine.handling.change.ChangeCycle;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.Owner;
import dev.kopf4j.object.Transformation;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of one cycle of one object behind its indexing: event handlers, cause, consistency, finalizer, daemons and
 * timers, change handlers, and one patch at the end. Confined.
 */
final class Cycle {
    private final ObjectServing serving;
    private final ResourceHandlers handlers;
    private final ChangeHandling changes;
    private final ObjectSlot slot;
    private final Subject subject;
    private final Trigger trigger;
    private final Delivery delivery;
    private final Background background;
    private boolean matched;
    /** What mattered of the object when its handlers have come to their end; null if they have not. */
    private @Nullable ObjectNode handled;

    Cycle(ObjectServing serving, ObjectSlot slot, Subject subject, Trigger trigger, Delivery delivery) {
        this.serving = serving;
        this.handlers = serving.handlers();
        this.changes = serving.processing().changes();
        this.slot = slot;
        this.subject = subject;
        this.trigger = trigger;
        this.delivery = delivery;
        this.background = new Background(serving, slot, subject);
    }

    Next run() throws InterruptedException {
        if (trigger instanceof Trigger.Moment && slot.conflicted) {
            // What has to be sent met a newer state: the next cycle begins with what is on the server.
            delivery.refresh();
            return delivery.next();
        }
        if (trigger instanceof Trigger.Event(var event, var _, var _)) {
            serving.processing().events().call(handlers.events(), subject.local(), event, delivery.patch());
        }
        if (serving.handlesChanges() && !trigger.outdated()) {
            handleChanges();
        }
        if (trigger.isGone()) {
            return new Next.Forget();
        }
        boolean sent = delivery.send();
        if (matched && !sent && !delivery.isUnfinished()) {
            subject.localLogger().debug("Handling cycle is finished, waiting for new changes.");
        }
        slot.forgetHandlingIfEmpty();
        Next next = delivery.next();
        if (handled != null
                && next instanceof Next.Await(var state)
                && new Settled(serving, slot)
                        .in(subject.with(state), handled, delivery.patch().merge())) {
            slot.settledIn = Versions.of(state);
            return new Next.Rest();
        }
        return next;
    }

    private void handleChanges() throws InterruptedException {
        if (slot.released && !trigger.isGone()) {
            return;
        }
        background.begin();
        Cause cause = changes.detector().detect(subject.node(), trigger.isGone(), slot.isInitial(), change());
        boolean concerned = changes.concernsAny(handlers.changes(), subject, cause);
        if (!trigger.isGone()) {
            if (mustWait(concerned || background.concerns())) {
                return;
            }
            background.stopOthers();
            if (settleFinalizer(concerned, cause)) {
                return;
            }
            background.follow();
        }
        if (!concerned) {
            return;
        }
        if (cause.reason() != Reason.GONE && delivery.hasCarriedOver()) {
            // What an earlier cycle has left is written first.
            delivery.wakeAfter(Duration.ZERO);
            return;
        }
        matched = true;
        boolean delayed = handle(cause);
        if (!delayed && cause.reason() == Reason.DELETE) {
            subject.localLogger().debug("Removing the finalizer, thus allowing the actual deletion.");
            delivery.letGo();
        }
    }

    private Change change() {
        Change found = changes.detector().change(subject.node(), handlers.fields());
        return slot.hasSightings() ? slot.handling().sightings().exactly(found) : found;
    }

    /** True if a newer state is known, and has to be seen first. */
    private boolean mustWait(boolean concerned) {
        Consistency.Freshness freshness = serving.consistency().judge(slot, subject.node());
        if (freshness == Consistency.Freshness.NEWEST) {
            return false;
        }
        boolean newer = delivery.knowsNewer();
        if (newer || concerned || serving.processing().finalizer().isOn(subject.node())) {
            slot.conflicted |= !newer && freshness == Consistency.Freshness.OVERDUE;
            delivery.wakeAt(slot.expectedUntil);
        }
        return true;
    }

    /** True if the finalizer has to be put on or taken off: everything else waits for the next cycle. */
    private boolean settleFinalizer(boolean concerned, Cause cause) {
        Optional<Transformation> settling =
                new FinalizerKeeping(serving, slot.isInitial(), background).settling(subject, concerned, cause);
        settling.ifPresent(delivery::settle);
        return settling.isPresent();
    }

    /** True if something is left to be done later. */
    private boolean handle(Cause cause) throws InterruptedException {
        return switch (cause) {
            case Cause.Informational(var reason, var change) -> inform(reason, change);
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
        // While daemons end, the object stays, and so does the record of what has succeeded.
        boolean held = cause.reason() == Reason.DELETE && background.isRunning();
        ChangeCycle.Result result = changes.cycle(
                        handlers, subject, cause, held, delivery.patch(), slot.handling(), delivery::checkpoint)
                .run();
        return switch (result) {
            case ChangeCycle.Result.Held() -> true;
            case ChangeCycle.Result.Done() -> {
                slot.handledOnce = true;
                handled = cause.change().newEssence();
                yield false;
            }
            case ChangeCycle.Result.Unfinished(Duration delay) -> {
                delivery.wakeAfter(delay);
                yield true;
            }
            case ChangeCycle.Result.Repeated() -> {
                // Who was told of the start need not hear of it again.
                slot.handledOnce = true;
                delivery.wakeAfter(Duration.ZERO);
                yield true;
            }
            case ChangeCycle.Result.Overtaken() -> {
                delivery.wakeAfter(Duration.ZERO);
                yield true;
            }
        };
    }

    /** Once for each object: it is looked at again with each of its events. */
    private void refuse(String why) {
        if (!slot.refused) {
            subject.localLogger().error("The object is not handled, no handler is called for it. {}", why);
            ObjectEvent event = ObjectEvent.warning(Owner.of(subject.node()), "NotHandled", why);
            serving.processing().posting().post(event);
        }
        slot.refused = true;
    }

    /** True if something is left to be done later. */
    private boolean inform(Reason reason, Change change) {
        switch (reason) {
            case GONE -> subject.localLogger().debug("Deleted, really deleted, and we are notified.");
            case FREE -> subject.localLogger().debug("Deletion, but we are done with it, and we do not care.");
            default -> {
                subject.localLogger()
                        .debug("Something has changed, but we are not interested (the essence is the same).");
                if (slot.hasSightings()
                        && changes.takeBack(handlers, subject, change, slot.handling(), delivery.patch())) {
                    delivery.wakeAfter(Duration.ZERO);
                    return true;
                }
                // Otherwise the next change would look as if some handlers had succeeded with it already.
                changes.dropProgress(handlers, subject, slot.knownChildren(), delivery.patch());
            }
        }
        return false;
    }
}
