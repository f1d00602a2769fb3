package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.CallEnd;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Calls the sub-handlers that one call of a handler declares: when that call asks for it, or after its end.
 *
 * <p>Under {@code asap} each call of the parent calls one of them. Under {@code inOrder} the next one follows within
 * the same call as long as {@code asap} would call the parent next, and would tell it of the same change: that call is
 * saved, and nothing else. Otherwise the parent's call ends with sub-handlers left, as it would there.
 *
 * <p>Confined to the object's worker.
 */
final class SubHandlerCalls {
    /** The message that Python's operators write into the record of a parent. */
    private static final String UNFINISHED = "None";

    private final ChangeCycleState cycle;
    private final ChangeHandlerCalls calls;
    private final @Nullable SubHandlerCalls outer;
    private final RegisteredHandler parent;
    private final ProgressRecord parentRecord;
    private final InvocationCause.Changing cause;
    private final PatchContent parentPatch;
    private final Platform platform;
    private final Monitor monitor;
    private final DeclaredSubHandlers declared;
    private final int changes;
    private List<RegisteredHandler> taken = List.of();
    private List<RegisteredHandler> selected = List.of();
    private boolean goOnLater;

    /**
     * None is declared yet.
     *
     * @param calls makes the calls of the cycle
     * @param outer the calls of the sub-handlers of which the parent is one; null if it is no sub-handler
     * @param parentRecord how far the parent had come when its call began
     * @param cause of the parent's call
     * @param parentPatch what the parent wants to change
     */
    SubHandlerCalls(
            ChangeCycleState cycle,
            ChangeHandlerCalls calls,
            @Nullable SubHandlerCalls outer,
            RegisteredHandler parent,
            ProgressRecord parentRecord,
            InvocationCause.Changing cause,
            PatchContent parentPatch) {
        this.cycle = cycle;
        this.calls = calls;
        this.outer = outer;
        this.parent = parent;
        this.parentRecord = parentRecord;
        this.cause = cause;
        this.parentPatch = parentPatch;
        this.platform = cycle.handling().platform();
        this.monitor = platform.monitor();
        this.declared = new DeclaredSubHandlers(parent, cycle.handling().progress(), monitor);
        this.changes = calls.present().changes();
    }

    /** Where the parent declares them. */
    DeclaredSubHandlers declared() {
        return declared;
    }

    /** Guards what is declared; notified of requests. */
    Monitor monitor() {
        return monitor;
    }

    /** True if the parent's call waits for its sub-handlers to be called. */
    boolean isRequested() {
        return declared.isRequested();
    }

    /** True if some are left that can be called in the same real cycle, by another call of the parent. */
    boolean goOnLater() {
        return goOnLater;
    }

    /** Calls those that are due of the sub-handlers that are declared by now. */
    void call() throws InterruptedException {
        taken = declared.take();
        HandlerLifecycle lifecycle =
                declared.lifecycle().orElseGet(() -> cycle.handling().lifecycle());
        boolean joined = calls.areJoined() && lifecycle.equals(HandlerLifecycle.IN_ORDER);
        List<RegisteredHandler> planned;
        try {
            select();
            planned = joined ? List.of() : calls.planned(selected, lifecycle);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            // A filter or the lifecycle has failed. The parent declared it, so this attempt of the parent has failed.
            declared.fail(e);
            return;
        }
        // What the parent wants to change so far is seen by its children.
        cycle.checkpoint().addition().add(parentPatch.take());
        if (joined) {
            callJoined();
        } else {
            calls.callPlanned(planned, this, narrowed());
        }
        declared.complete(delay());
    }

    private void callJoined() throws InterruptedException {
        goOnLater = false;
        RegisteredHandler next = calls.next(selected);
        while (next != null) {
            calls.call(next, this, narrowed());
            if (calls.mustEnd() || cycle.checkpoint().isOvertaken() || calls.next(selected) == null) {
                return;
            }
            showParents();
            if (!calls.sequence().goOn()) {
                return;
            }
            if (!isParentNext()) {
                goOnLater = true;
                return;
            }
            saveCalls();
            goOnLater = !canSelect();
            next = goOnLater ? null : calls.next(selected);
        }
    }

    /** Selects those whose filters let the object pass as the present cycle has found it. */
    private void select() {
        ResourceObject object = cycle.checkpoint().found();
        selected = HandlerSelection.ofParent(
                taken, object, narrowed(), cycle.handling().contexts());
        cycle.progress().activateChildren(selected, lineage(), object.node(), platform.now());
    }

    /** False if a filter fails with the state that earlier calls have left: the next call of the parent will tell. */
    private boolean canSelect() {
        try {
            select();
            return true;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            cycle.checkpoint().stored().localLogger().debug("The filters of the sub-handlers have failed: {}", e, e);
            return false;
        }
    }

    private InvocationCause.Changing narrowed() {
        return cause.within(parent.field());
    }

    private List<RegisteredHandler> lineage() {
        List<RegisteredHandler> lineage = outer == null ? new ArrayList<>() : outer.lineage();
        lineage.add(parent);
        return lineage;
    }

    private boolean isParentNext() {
        return changes == calls.present().changes() && parent.equals(nextAmongParents());
    }

    private @Nullable RegisteredHandler nextAmongParents() {
        if (outer == null) {
            return calls.next(calls.present().selected());
        }
        if (!outer.isParentNext() || !outer.canSelect()) {
            return null;
        }
        return calls.next(outer.selected);
    }

    private void saveCalls() {
        cycle.memory().addSavedCall(parent);
        if (outer != null) {
            outer.saveCalls();
        }
    }

    /** Gives the parents whose calls go on the records that a request would store now. */
    void showParents() {
        if (taken.isEmpty()) {
            return;
        }
        Duration delay = delay();
        Outcome unfinished = new Outcome.Retry(delay == null ? Duration.ZERO : delay, UNFINISHED);
        cycle.progress().add(parent, parentRecord, unfinished, platform.now());
        if (outer != null) {
            outer.showParents();
        }
    }

    private @Nullable Duration delay() {
        return cycle.progress().delay(selected, platform.now()).orElse(null);
    }

    /**
     * The parent's call has ended. A parent is finished only when its sub-handlers are, even if its function has
     * swallowed the exception that says so.
     *
     * @return the retry of the parent if some are unfinished; null if all are finished, or the call has failed
     *     otherwise
     */
    @Nullable RetryDecision finish(CallEnd end) throws InterruptedException {
        if (end instanceof CallEnd.Delivered && declared.hasUnexecuted()) {
            call();
        }
        Throwable failure = declared.failure().orElse(null);
        if (failure != null && end instanceof CallEnd.Delivered) {
            return new CallEnd.Threw(failure).decide(cycle.handling().runner().retryPolicy(parent, parentRecord));
        }
        boolean ended = end instanceof CallEnd.Delivered
                || (end instanceof CallEnd.Threw(var exception) && exception instanceof SubHandlersUnfinishedException);
        Duration delay = ended ? declared.unfinished().orElse(null) : null;
        return delay == null
                ? null
                : new RetryDecision(
                        new Outcome.Retry(delay, UNFINISHED),
                        Level.DEBUG,
                        parent + " has unfinished sub-handlers. Will retry soon.",
                        null,
                        null);
    }
}
