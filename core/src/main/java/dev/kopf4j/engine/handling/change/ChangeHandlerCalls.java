package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.LifecyclePlan;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of one real cycle, and adds the patch and the result of each call to the cycle's patch, and its
 * outcome to the progress.
 *
 * <p>Under {@code inOrder} the calls are those of {@code asap}, one after the other, without the requests in between:
 * see {@link CycleSequence}. The real cycle ends if nobody can tell how {@code asap} would go on, if no handler is due,
 * and before the second attempt of a handler, as attempts have to be stored. With one handler for the object, there is
 * nothing to join.
 *
 * <p>Confined to the object's worker.
 */
final class ChangeHandlerCalls {
    private final ChangeCycleState cycle;
    private final ProgressState progress;
    private final ProgressCheckpoint checkpoint;
    private final Platform platform;
    private final CycleSequence sequence;
    /** The ids of the handlers that have made their attempt. */
    private final Set<String> called = new HashSet<>();

    private boolean held;

    ChangeHandlerCalls(ChangeCycleState cycle, CycleSequence sequence) {
        this.cycle = cycle;
        this.progress = cycle.progress();
        this.checkpoint = cycle.checkpoint();
        this.platform = cycle.handling().platform();
        this.sequence = sequence;
    }

    /** True if a handler could not be called, as an earlier call of it goes on although it was interrupted. */
    boolean areHeld() {
        return held;
    }

    /** True if another real cycle has to follow at once. */
    boolean mustEnd() {
        return sequence.isOver();
    }

    /** What the last of the joined cycles has begun with. */
    CycleStart present() {
        return sequence.present();
    }

    /** The joined cycles. */
    CycleSequence sequence() {
        return sequence;
    }

    /** True if the cycles of {@code asap} are joined. */
    boolean areJoined() {
        return cycle.handling().lifecycle().equals(HandlerLifecycle.IN_ORDER);
    }

    /** Calls those of the selected handlers that are due, as the lifecycle wants it. */
    void make() throws InterruptedException {
        if (areJoined()) {
            makeJoined();
        } else {
            callPlanned(
                    planned(present().selected(), cycle.handling().lifecycle()),
                    null,
                    present().cause());
        }
    }

    private void makeJoined() throws InterruptedException {
        RegisteredHandler next = next(present().selected());
        while (next != null) {
            call(next, null, present().cause());
            boolean over = mustEnd() || progress.isDone() || checkpoint.isOvertaken() || !othersMayFollow();
            if (over || !sequence.goOn() || progress.isDone()) {
                return;
            }
            next = next(present().selected());
        }
    }

    /** True if there is any handler left that could be called in this real cycle. */
    private boolean othersMayFollow() {
        Reason reason = present().cause().reason();
        return sequence.handlers().stream()
                .anyMatch(handler -> (handler.reason() == null || handler.reason() == reason)
                        && !called.contains(handler.id())
                        && !progress.isFinished(handler));
    }

    /** The handler that {@code asap} would call next; null if it cannot be called in this real cycle. */
    @Nullable RegisteredHandler next(List<RegisteredHandler> handlers) {
        List<RegisteredHandler> first = LifecyclePlan.plan(
                HandlerLifecycle.ASAP,
                free(progress.due(handlers, platform.now())),
                this::attempts,
                platform.random(),
                checkpoint.found().body());
        return first.isEmpty() || called.contains(first.getFirst().id()) ? null : first.getFirst();
    }

    private List<RegisteredHandler> free(List<RegisteredHandler> due) {
        List<RegisteredHandler> free = due.stream()
                .filter(handler -> !cycle.memory().hasOrphanedCall(handler))
                .toList();
        held |= free.size() < due.size();
        return free;
    }

    /** Counts the calls of parents that are saved here: {@code asap} would make them. */
    private int attempts(RegisteredHandler handler) {
        return progress.record(handler).retries() + cycle.memory().savedCalls(handler);
    }

    /** Those of the handlers that are due and planned by the lifecycle, when a cycle begins. */
    List<RegisteredHandler> planned(List<RegisteredHandler> handlers, HandlerLifecycle lifecycle) {
        return LifecyclePlan.plan(
                lifecycle,
                progress.due(handlers, platform.now()),
                handler -> progress.record(handler).retries(),
                platform.random(),
                checkpoint.found().body());
    }

    /** Calls the planned handlers, one behind the other. */
    void callPlanned(
            List<RegisteredHandler> planned, @Nullable SubHandlerCalls siblings, InvocationCause.Changing cause)
            throws InterruptedException {
        for (RegisteredHandler handler : planned) {
            if (cycle.memory().hasOrphanedCall(handler)) {
                held = true;
            } else if (!checkpoint.isOvertaken()) {
                call(handler, siblings, cause);
            }
        }
    }

    /**
     * Makes one attempt of one handler.
     *
     * @param siblings the calls of the sub-handlers of which it is one; null if it is no sub-handler
     */
    void call(RegisteredHandler handler, @Nullable SubHandlerCalls siblings, InvocationCause.Changing cause)
            throws InterruptedException {
        sequence.callBegins();
        ProgressRecord before = progress.record(handler);
        PatchContent own = checkpoint.patchForCall();
        SubHandlerCalls subHandlers = new SubHandlerCalls(cycle, this, siblings, handler, before, cause, own);
        RetryDecision decision =
                new ChangeHandlerCall(cycle, sequence, handler, before, cause, own, subHandlers).make();
        decision.log(checkpoint.stored().logger());
        PatchContent changes = own.handOver();
        sequence.callEnds(changes.isEmpty());
        checkpoint.addition().add(changes);
        ResultDelivery.deliver(handler.id(), decision.outcome(), checkpoint.addition());
        progress.add(handler, before, decision.outcome(), platform.now());
        if (!subHandlers.goOnLater()) {
            called.add(handler.id());
        }
        if (decision.outcome() instanceof Outcome.Succeeded) {
            checkpoint.succeeded();
        }
    }
}
